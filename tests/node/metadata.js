// Reads the answer of tools/list on stdin as the official helpers of hosts read it: each tool's view, and who sees it.
import { getToolUiResourceUri, isToolVisibilityAppOnly, isToolVisibilityModelOnly } from "@modelcontextprotocol/ext-apps/app-bridge";

let text = "";
for await (const chunk of process.stdin) text += chunk;
const read = tool => [
  tool.name,
  {
    uri: getToolUiResourceUri(tool) ?? null,
    flat: getToolUiResourceUri({ _meta: { "ui/resourceUri": tool._meta?.["ui/resourceUri"] } }) ?? null,
    appOnly: isToolVisibilityAppOnly(tool),
    modelOnly: isToolVisibilityModelOnly(tool),
  },
];
console.log(JSON.stringify(Object.fromEntries(JSON.parse(text).map(read))));
