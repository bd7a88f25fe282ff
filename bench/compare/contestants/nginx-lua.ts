import { upstreamOrigin } from "../../announce.ts";
import { luaModules, runNginx } from "../../nginx.ts";
import { messagePath, texts } from "../../traffic.ts";

// The answer is collected, parsed, replaced and written again, as usual for rewriting in nginx.
const replace = `
local cjson = require "cjson.safe"
local lines = { ["no-results"] = ${JSON.stringify(texts.message)} }
local title = ${JSON.stringify(texts.relatedTitle)}
local null = cjson.null

local function line_for(flags)
  if type(flags) ~= "table" then return nil end
  for _, flag in ipairs(flags) do
    if lines[flag] then return lines[flag] end
  end
end

return function(body)
  local response = cjson.decode(body)
  if type(response) ~= "table" or type(response.answers) ~= "table" then return body end
  for _, answer in ipairs(response.answers) do
    local line = line_for(answer.flags)
    if line then
      answer.message = line
      answer.messageList = { line }
    end
    local parameters = answer.parameters
    local contents = type(parameters) == "table" and parameters.contents or null
    local related = type(contents) == "table" and contents.related or null
    if type(related) == "table" and related.relatedTitle ~= "" then related.relatedTitle = title end
  end
  return cjson.encode(response) or body
end
`;

await runNginx(
  (port, prefix) => `
  lua_package_path "${prefix}/?.lua;;";
  init_by_lua_block { replace = require "replace" }
  upstream answers { server ${new URL(upstreamOrigin()).host}; keepalive 512; }
  server {
    listen 127.0.0.1:${port};
    proxy_http_version 1.1; proxy_set_header Connection ""; client_body_buffer_size 64k;
    location / { proxy_pass http://answers; }
    location = ${messagePath} {
      proxy_pass http://answers; proxy_buffers 16 16k; proxy_max_temp_file_size 0;
      header_filter_by_lua_block { ngx.header.content_length = nil }
      body_filter_by_lua_block {
        local chunk, last = ngx.arg[1], ngx.arg[2]
        local held = ngx.ctx.held
        if not last then
          if held then held[#held + 1] = chunk else ngx.ctx.held = { chunk } end
          ngx.arg[1] = nil
          return
        end
        if held then
          held[#held + 1] = chunk
          chunk = #held == 2 and chunk == "" and held[1] or table.concat(held)
        end
        ngx.arg[1] = replace(chunk)
      }
    }
  }`,
  { "replace.lua": replace },
  luaModules(),
);
