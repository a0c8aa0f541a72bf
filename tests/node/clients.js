// The two clients that the protocol's TypeScript SDK has been published as, each as one that can be asked the same.
import * as second from "@modelcontextprotocol/client";
import * as secondStdio from "@modelcontextprotocol/client/stdio";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const ME = { name: "tour", version: "1" };
const MODERN = "2026-07-28";

/** A connected client of the SDK's `generation` ("1" or "2"), and the protocol that it speaks with the server. */
export async function connected(generation, era, target) {
  const [client, transport] = generation === "1" ? first(target) : newer(era, target);
  let spoken;
  const told = transport.setProtocolVersion?.bind(transport);
  transport.setProtocolVersion = (version) => {
    spoken = version;
    told?.(version);
  };
  await client.connect(transport);
  return { client, spoken: client.getNegotiatedProtocolVersion?.() ?? spoken };
}

function first(target) {
  const { url } = target;
  const transport = url ? new StreamableHTTPClientTransport(new URL(url)) : new StdioClientTransport(target);
  return [new Client(ME), transport];
}

function newer(era, target) {
  const pinned = { versionNegotiation: { mode: { pin: era } } };
  const options = era === MODERN ? pinned : { supportedProtocolVersions: [era] };
  const transport = target.url
    ? new second.StreamableHTTPClientTransport(new URL(target.url))
    : new secondStdio.StdioClientTransport(target);
  return [new second.Client(ME, options), transport];
}
