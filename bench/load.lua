-- The load of one measurement. Method and body come from the environment, the fields from -H. Prints one line of JSON.
wrk.method = os.getenv("BENCH_METHOD")
wrk.body = os.getenv("BENCH_BODY")

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '{"requests":%d,"microseconds":%d,"bytes":%d,"p50":%d,"p90":%d,"p99":%d,"broken":%d,"refused":%d}\n',
    summary.requests, summary.duration, summary.bytes,
    latency:percentile(50), latency:percentile(90), latency:percentile(99),
    errors.connect + errors.read + errors.write + errors.timeout, errors.status))
end
