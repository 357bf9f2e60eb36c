/** nginx over a folder, at its fastest: one worker, sendfile, no log, and no stat of a file it knows. */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { folder } from "../closing.ts"
import { family, pinned, SERVER_CORE, start } from "../machine.ts"
import { freePort } from "../../test/support/program.ts"
import { answering } from "./answering.ts"
import type { Peer } from "./answering.ts"

/** Every request is first checked with another server, as for a private page behind nginx. */
const asking = (port: number): string => `
    location / { auth_request /_allowed; }
    location = /_allowed {
      internal;
      proxy_pass http://deciders;
      proxy_pass_request_body off;
      proxy_set_header Content-Length "";
      proxy_set_header Connection "";
      proxy_set_header Host $host;
      proxy_http_version 1.1;
    }
  }
  upstream deciders { server 127.0.0.1:${port}; keepalive 64;`

const config = (port: number, root: string, home: string, decider: number | undefined): string => `
${process.getuid?.() === 0 ? "user root;" : ""}
worker_processes 1;
daemon off;
pid ${home}/nginx.pid;
error_log stderr crit;
events { worker_connections 1024; }
http {
  include /etc/nginx/mime.types;
  access_log off;
  sendfile on;
  tcp_nopush on;
  keepalive_requests 100000000;
  open_file_cache max=1000 inactive=1h;
  open_file_cache_valid 1h;
  client_body_temp_path ${home}/tmp;
  proxy_temp_path ${home}/tmp;
  fastcgi_temp_path ${home}/tmp;
  uwsgi_temp_path ${home}/tmp;
  scgi_temp_path ${home}/tmp;
  server { listen 127.0.0.1:${port}; root ${root}; ${decider === undefined ? "" : asking(decider)} }
}
`

/** `decider`: the server that decides whether a request may be answered. */
export const startNginx = async (root: string, decider?: Peer): Promise<Peer> => {
  const home = folder("nginx")
  mkdirSync(join(home, "tmp"))
  const port = await freePort()
  const path = join(home, "nginx.conf")
  writeFileSync(path, config(port, root, home, decider?.port))
  const { pid } = start(...pinned(SERVER_CORE, "nginx", ["-e", "stderr", "-p", home, "-c", path]))
  await answering(port)
  return { port, pids: [...family(pid!), ...(decider?.pids ?? [])] }
}
