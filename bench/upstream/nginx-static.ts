import { runNginx } from "../nginx.ts";
import { answerAskedFor, startAnswer, startPath } from "../traffic.ts";

// nginx answers a POST to a file with 405; that error's page is the file itself, read as by GET,
// for a body of any size.
await runNginx(
  (port) => `
  default_type application/json; charset utf-8; charset_types application/json;
  etag off; if_modified_since off; max_ranges 0; open_file_cache max=10; client_max_body_size 0;
  server {
    listen 127.0.0.1:${port}; root .;
    location = ${startPath} { error_page 405 =200 /start.json; try_files /start.json =404; }
    location = /start.json { internal; add_header Last-Modified ""; }
    location = /answer.json { internal; add_header Last-Modified ""; }
    location / { error_page 405 =200 /answer.json; try_files /answer.json =404; }
  }`,
  { "answer.json": answerAskedFor(), "start.json": startAnswer },
);
