import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { extname, join } from 'node:path'
import { gzipSync } from 'node:zlib'

const types: { readonly [ending: string]: string } = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
}

/** A server of a folder, on a free port of this machine. */
export interface StaticServer extends AsyncDisposable {
  readonly origin: string
  /** Returns the compressed size in bytes of what was sent since the last call. */
  readonly takeSent: () => number
}

/** Serves a built site: `/a/b` is the file `a/b.html`, and `/a/` is `a/index.html`. Answers are compressed. */
export async function serveFolder(folder: string): Promise<StaticServer> {
  let sent = 0
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const name = pathname.endsWith('/') ? `${pathname}index.html` : pathname
    for (const path of [name, `${name}.html`]) {
      const body = contentOf(join(folder, decodeURI(path)))
      if (body === undefined) continue
      sent += body.length
      const type = types[extname(path)] ?? 'application/octet-stream'
      response.writeHead(200, { 'content-type': type, 'content-encoding': 'gzip' }).end(body)
      return
    }
    response.writeHead(404).end()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port')
  return {
    origin: `http://127.0.0.1:${address.port}`,
    takeSent() {
      const size = sent
      sent = 0
      return size
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

function contentOf(path: string): Buffer | undefined {
  try {
    return gzipSync(readFileSync(path))
  } catch {
    return undefined
  }
}
