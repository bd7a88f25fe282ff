-- The load of the soak: messages of ten thousand conversations, and among them starts and what is only passed on.
local sent = 0
local body = os.getenv("BENCH_BODY")

function request()
  sent = sent + 1
  if sent % 20 == 0 then
    return wrk.format("POST", "/v1/tracking/events", nil, body)
  end
  local headers = {}
  for name, value in pairs(wrk.headers) do headers[name] = value end
  headers["x-inbenta-session"] = "Bearer soak-session-" .. (sent % 10000)
  local path = sent % 20 == 1 and "/v1/conversation" or "/v1/conversation/message"
  return wrk.format("POST", path, headers, path == "/v1/conversation" and "{}" or body)
end

function done(summary)
  local errors = summary.errors
  io.write(string.format('{"requests":%d,"broken":%d,"refused":%d}\n', summary.requests,
    errors.connect + errors.read + errors.write + errors.timeout, errors.status))
end
