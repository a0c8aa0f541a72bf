// A host as the official AppBridge makes one: the official client, connected to a server over HTTP, and a view in a
// sandboxed frame. Bundled for a browser by the tests, which drive it through `window.host`.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { AppBridge, PostMessageTransport, RESOURCE_MIME_TYPE } from "@modelcontextprotocol/ext-apps/app-bridge";

const VIEW = "ui://circuit/board.html";
const EXTENSION = "io.modelcontextprotocol/ui";
const ABLE = { serverTools: {}, message: { text: {} }, updateModelContext: { text: {} } };

// The policy that the specification has hosts make of a resource's metadata.
function policy({ connectDomains = [], resourceDomains = [], frameDomains = [], baseUriDomains = [] } = {}) {
  const from = (first, rest) => [first, ...rest].filter(Boolean).join(" ");
  return [
    "default-src 'none'",
    from("script-src 'self' 'unsafe-inline'", resourceDomains),
    from("style-src 'self' 'unsafe-inline'", resourceDomains),
    from("connect-src 'self'", connectDomains),
    from("img-src 'self' data:", resourceDomains),
    from("font-src 'self'", resourceDomains),
    from("frame-src", frameDomains.length ? frameDomains : ["'none'"]),
    "object-src 'none'",
    from("base-uri", baseUriDomains.length ? baseUriDomains : ["'self'"]),
  ].join("; ");
}

const host = {
  client: null,
  bridge: null,
  frame: null,
  seen: { sizes: [], messages: [], contexts: [], calls: [], modes: [], app: null },

  // Connects the client; `shows` says whether it declares that it shows views.
  async connect(url, { shows = true, mode = "auto" } = {}) {
    const extensions = shows ? { [EXTENSION]: { mimeTypes: [RESOURCE_MIME_TYPE] } } : {};
    const options = { capabilities: { extensions }, versionNegotiation: { mode } };
    host.client = new Client({ name: "test-host", version: "1.0.0" }, options);
    await host.client.connect(new StreamableHTTPClientTransport(new URL(url)));
    return (await host.client.listTools()).tools;
  },

  // Shows the view in a frame of its own, as a host does for each call of a tool, and waits for its handshake.
  async open(context = {}, capabilities = ABLE) {
    host.frame?.remove();
    host.seen = { sizes: [], messages: [], contexts: [], calls: [], modes: [], app: null };
    const { contents } = await host.client.readResource({ uri: VIEW });
    const [page] = contents;
    if (page.mimeType !== RESOURCE_MIME_TYPE) throw new Error(`the view is ${page.mimeType}`);
    const frame = document.createElement("iframe");
    frame.setAttribute("sandbox", "allow-scripts");
    frame.style.cssText = "display:block;border:0;width:100%;height:100px";
    const csp = `<meta http-equiv="Content-Security-Policy" content="${policy(page._meta?.ui?.csp)}">`;
    frame.srcdoc = page.text.replace("<head>", `<head>${csp}`);
    document.body.append(frame);
    host.frame = frame;
    const bridge = new AppBridge(host.client, { name: "test-host", version: "1.0.0" }, capabilities, {
      hostContext: { theme: "light", displayMode: "inline", availableDisplayModes: ["inline"], ...context },
    });
    host.bridge = bridge;
    const { seen } = host;
    bridge.addEventListener("sizechange", size => {
      seen.sizes.push(size);
      if (size.height) frame.style.height = `${size.height}px`;
    });
    bridge.onmessage = async params => (seen.messages.push(params), {});
    bridge.onupdatemodelcontext = async params => (seen.contexts.push(params), {});
    bridge.onrequestdisplaymode = async ({ mode }) => (seen.modes.push(mode), { mode });
    const ready = new Promise(resolve => bridge.addEventListener("initialized", resolve));
    window.addEventListener("message", ({ source, data }) => {
      if (source === frame.contentWindow && data?.method === "tools/call") seen.calls.push(data.params);
    });
    await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow));
    const late = new Promise((_, reject) => setTimeout(reject, 15_000, new Error("the view did not shake hands")));
    await Promise.race([ready, late]);
    seen.app = { info: bridge.getAppVersion(), capabilities: bridge.getAppCapabilities() };
  },

  // Something that the view is told, by the bridge's method; it has been dealt with when a ping comes back.
  async tell(what, params) {
    await host.bridge[what](params);
    await host.bridge.request({ method: "ping" });
  },

  // A tool that the model calls, its answer shown by the view that is open.
  async call(name, args) {
    await host.tell("sendToolInput", { arguments: args });
    const result = await host.client.callTool({ name, arguments: args });
    await host.tell("sendToolResult", result);
    return result;
  },
};

window.host = host;
