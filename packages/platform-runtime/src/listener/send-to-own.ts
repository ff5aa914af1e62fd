import { X509Certificate } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'
import type { PeerCertificate } from 'node:tls'

/** An answer of a platform on this machine. */
interface OwnAnswer {
  readonly status: number | undefined
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/**
 * Sends a POST request from a command to a listener of a platform on this machine.
 * @param tls the only certificate that is accepted, for any host name
 */
export async function sendToOwn(
  url: string,
  headers: { readonly [name: string]: string },
  body: Uint8Array,
  tls: { readonly cert: Buffer } | undefined,
): Promise<OwnAnswer> {
  const { request } = tls === undefined ? await import('node:http') : await import('node:https')
  const options = {
    method: 'POST',
    headers: { ...headers, 'content-length': String(body.length) },
    ...(tls && {
      ca: tls.cert,
      allowPartialTrustChain: true,
      checkServerIdentity: (_host: string, { fingerprint256 }: PeerCertificate) =>
        new X509Certificate(tls.cert).fingerprint256 === fingerprint256
          ? undefined
          : new Error('This is the certificate of another server.'),
    }),
  }
  return new Promise((resolve, reject) => {
    request(url, options, response => {
      text(response).then(
        all => resolve({ status: response.statusCode, headers: response.headers, text: all }),
        reject,
      )
    })
      .on('error', reject)
      .end(body)
  })
}
