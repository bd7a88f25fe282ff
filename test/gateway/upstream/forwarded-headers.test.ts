import { describe, expect, it } from "vitest";
import {
  createClientHeaders,
  createUpstreamHeaders,
} from "../../../src/gateway/upstream/forwarded-headers.ts";

describe("upstreamHeaders", () => {
  it("keeps order, case and duplicates, puts Host first and Via last", () => {
    const headers = ["X-B", "1", "host", "gateway", "x-a", "2", "X-B", "3", "Via", "1.0 edge"];
    expect(createUpstreamHeaders(headers, "api.example", "1.1 me")).toEqual([
      ...[
        "Host",
        "api.example",
        "X-B",
        "1",
        "x-a",
        "2",
        "X-B",
        "3",
        "Via",
        "1.0 edge",
        "Via",
        "1.1 me",
      ],
    ]);
  });

  it("removes what the client's Connection names before ours come", () => {
    const headers = [
      "Connection",
      "X-Gone, via",
      "connection",
      "Host",
      "X-Gone",
      "1",
      "Via",
      "1.0 edge",
      "X-Kept",
      "2",
    ];
    expect(createUpstreamHeaders(headers, "api.example", "1.1 me")).toEqual([
      ...["Host", "api.example", "X-Kept", "2", "Via", "1.1 me"],
    ]);
  });

  it.each([
    ...[
      "Connection",
      "Keep-Alive",
      "Proxy-Connection",
      "TE",
      "Trailer",
      "Transfer-Encoding",
      "Upgrade",
    ],
    ...[
      "Proxy-Authorization",
      "Expect",
      "X-Afterword-Locale",
      "x-afterword-debug",
      "X-Afterword-Test",
    ],
  ])("does not forward %s", (name) => {
    expect(createUpstreamHeaders([name, "x"], "h", "v")).toEqual(["Host", "h", "Via", "v"]);
  });
});

describe("a field with underscores", () => {
  it.each([
    ...[
      "Transfer_Encoding",
      "content_length",
      "HTTP2_Settings",
      "Proxy_Authorization",
      "keep_alive",
    ],
    ...["X_Forwarded_For", "x-forwarded_for", "X_Real_IP", "CF_Connecting_IP", "Accept_Encoding"],
    ...[
      "x_vendor_key",
      "X-Inbenta_Key",
      "x_inbenta_session",
      "X_Hyper_Secret",
      "x_afterword_debug",
    ],
  ])("is not forwarded when a server could take it for one that counts: %s", (name) => {
    expect(createUpstreamHeaders([name, "x"], "h", "v")).toEqual(["Host", "h", "Via", "v"]);
  });

  it.each(["session_id", "X_Request_Id", "content_type", "my_key", "_", "user_agent", "x_key_x"])(
    "is forwarded when it is a client's own: %s",
    (name) => {
      expect(createUpstreamHeaders([name, "x"], "h", "v")).toEqual([
        "Host",
        "h",
        name,
        "x",
        "Via",
        "v",
      ]);
    },
  );
});

describe("clientHeaders", () => {
  it("keeps everything but the connection's own fields", () => {
    const headers = [
      "Date",
      "d",
      "Set-Cookie",
      "a",
      "set-cookie",
      "b",
      "Connection",
      "close, X-Hop",
      "X-Hop",
      "1",
      "Transfer-Encoding",
      "chunked",
    ];
    expect(createClientHeaders(200, headers)).toEqual([
      "Date",
      "d",
      "Set-Cookie",
      "a",
      "set-cookie",
      "b",
    ]);
  });

  it.each([
    [100, []],
    [103, []],
    [204, []],
    [200, ["content-Length", "5"]],
    [205, ["content-Length", "5"]],
    [304, ["content-Length", "5"]],
  ])("keeps the length of a %i only where there may be one", (status, kept) => {
    expect(createClientHeaders(status, ["content-Length", "5"])).toEqual(kept);
  });
});
