import { upstreamOrigin } from "../../announce.ts";
import { runNginx } from "../../nginx.ts";

await runNginx(
  (port) => `
  upstream answers { server ${new URL(upstreamOrigin()).host}; keepalive 512; }
  server {
    listen 127.0.0.1:${port};
    location / { proxy_pass http://answers; proxy_http_version 1.1; proxy_set_header Connection ""; }
  }`,
);
