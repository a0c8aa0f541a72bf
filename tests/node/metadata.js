// Reads the tools that a server lists, in TOOLS, as the official helpers of hosts read them: each tool's view, and who
// sees it.
import {
  getToolUiResourceUri,
  isToolVisibilityAppOnly,
  isToolVisibilityModelOnly,
} from "@modelcontextprotocol/ext-apps/app-bridge";

const read = tool => [
  tool.name,
  {
    uri: getToolUiResourceUri(tool) ?? null,
    flat: getToolUiResourceUri({ _meta: { "ui/resourceUri": tool._meta?.["ui/resourceUri"] } }) ?? null,
    appOnly: isToolVisibilityAppOnly(tool),
    modelOnly: isToolVisibilityModelOnly(tool),
  },
];
console.log(JSON.stringify(Object.fromEntries(JSON.parse(process.env.TOOLS).map(read))));
