// A client signs in at the server, and comes back with what it kept: `node signin.js GENERATION URL KEY`.
import assert from "node:assert/strict";

import * as second from "@modelcontextprotocol/client";
import { UnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const [generation, address, key] = process.argv.slice(2);
const sdk = generation === "1" ? { Client, StreamableHTTPClientTransport, UnauthorizedError } : second;
const url = new URL(address);

/** Keeps what a client keeps, and agrees to what it asks. */
class Person {
  redirectUrl = "http://127.0.0.1:9/callback";
  clientMetadata = { client_name: "The tour", redirect_uris: [this.redirectUrl], token_endpoint_auth_method: "none" };
  asked = 0;
  clientInformation = () => this.registered;
  saveClientInformation = (registered) => (this.registered = registered);
  tokens = () => this.kept;
  saveTokens = (kept) => (this.kept = kept);
  saveCodeVerifier = (verifier) => (this.verifier = verifier);
  codeVerifier = () => this.verifier;

  /** What a person does in the browser: sees the page, types the key, and is sent back with a code. */
  async redirectToAuthorization(asking) {
    this.asked += 1;
    const page = await (await fetch(asking)).text();
    const fields = [...page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)];
    const form = new URLSearchParams(fields.map(([, name, value]) => [name, unescaped(value)]));
    form.set("owner_key", key);
    const sent = await fetch(asking.origin + asking.pathname, { method: "POST", body: form, redirect: "manual" });
    assert.equal(sent.status, 302, await sent.text());
    this.back = new URL(sent.headers.get("location")).searchParams;
  }
}

const unescaped = (text) => text.replaceAll("&#34;", '"').replaceAll("&#39;", "'").replaceAll("&amp;", "&");

async function look(person) {
  const client = new sdk.Client({ name: "signin", version: "1" });
  const transport = new sdk.StreamableHTTPClientTransport(url, { authProvider: person });
  try {
    await client.connect(transport);
    assert.equal((await client.listTools()).tools.length, 27);
    return await client.callTool({ name: "circuit_list", arguments: {} });
  } finally {
    await client.close();
  }
}

const person = new Person();
await assert.rejects(look(person), sdk.UnauthorizedError); // it is asked for, and the code is there now
assert.equal(person.asked, 1);
const transport = new sdk.StreamableHTTPClientTransport(url, { authProvider: person });
await transport.finishAuth(generation === "1" ? person.back.get("code") : person.back);
assert.equal((await look(person)).isError ?? false, false);

const first = person.kept;
person.kept = { ...first, access_token: "forgotten" };
assert.equal((await look(person)).isError ?? false, false);
assert.notEqual(person.kept.refresh_token, first.refresh_token); // each is good for once
assert.equal(person.asked, 1);
