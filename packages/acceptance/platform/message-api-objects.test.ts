import { createHash, createHmac } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { GetObjectCommand, HeadObjectCommand, ListObjectsV2Command } from '@aws-sdk/client-s3'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { signatureHeaders } from '@signalbox/platform-runtime/signature'
import { talk } from '@signalbox/platform-runtime/testing/raw-client'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { bob, deliver, errorOf, key, started, stopAll } from './testing/message-clients.ts'

const { accessKeyId: id, secretAccessKey: secret } = key('changer')
const access = {
  identities: { changer: { keys: [{ id, secret }], rights: { mail: { read: ['*'], change: ['*'] } } } },
}
const place = { Bucket: 'changes', Key: 'a b/ü.eml' }

let setup: Awaited<ReturnType<typeof started>>
beforeEach(async () => {
  setup = await started({ sort: () => deliver }, { maxSize: 1 }, { access })
})
afterEach(stopAll)

describe('objects', () => {
  it('have their content for GET and HEAD, when it was sent in chunks with a checksum of any kind', async () => {
    const { clients } = setup
    const large = Buffer.alloc(300_000, 'mail')
    for (const ChecksumAlgorithm of ['CRC32', 'CRC32C', 'CRC64NVME', 'SHA1', 'SHA256'] as const) {
      const body = Readable.from([large.subarray(0, 1000), large.subarray(1000)])
      const { ETag } = await clients.store(body, { ChecksumAlgorithm, ContentLength: large.length })
      const { Body } = await clients.objects.send(new GetObjectCommand(place))
      expect(Buffer.from(await Body!.transformToByteArray()).equals(large)).toBe(true)
      expect(await clients.objects.send(new HeadObjectCommand(place))).toMatchObject({
        ...{ ETag, ContentLength: large.length },
      })
    }
  })

  it('do not exist after a connection was lost in the middle of a body', async () => {
    const { clients, url } = setup
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    const head = `PUT /objects/changes/half HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${id}.${secret}`
    socket.write(`${head}\r\nContent-Length: 100\r\n\r\nFrom: a`)
    // The answer to the next request shows that the platform has read the first one.
    await clients.store('other')
    socket.resetAndDestroy()
    await clients.store('another')
    const get = clients.objects.send(new GetObjectCommand({ ...place, Key: 'half' }))
    expect(await errorOf(get)).toEqual(['NoSuchKey', 404, 'The specified key does not exist.'])
  })

  it('cannot be listed, and have no other operations of S3', async () => {
    const { clients, url } = setup
    const list = clients.objects.send(new ListObjectsV2Command({ Bucket: 'changes' }))
    expect(await errorOf(list)).toEqual([
      'NotImplemented',
      501,
      expect.stringContaining('This is no object store'),
    ])
    const authorization = `Bearer ${id}.${secret}`
    const status = async (method: string, path: string, headers = {}) => {
      const response = await fetch(`${url}${path}`, { method, headers: { authorization, ...headers } })
      return [response.status, /<Code>(.*)<\/Code>/.exec(await response.text())?.[1]]
    }
    expect(await status('POST', '/objects/changes/a')).toEqual([501, 'NotImplemented'])
    expect(await status('PUT', '/objects/changes/a?X-Amz-Signature=1')).toEqual([501, 'NotImplemented'])
    for (const query of ['?x-id=PutObject?&X-Amz-Signature=1', '??X-Amz-Signature=1'])
      expect(await status('PUT', `/objects/changes/a${query}`)).toEqual([501, 'NotImplemented'])
    expect(await status('PUT', '/objects/changes/a?partNumber=1')).toEqual([501, 'NotImplemented'])
    expect(await status('PUT', '/objects/changes/a', { 'if-none-match': '*' })).toEqual([
      501,
      'NotImplemented',
    ])
    expect(await status('PUT', '/objects/changes/%ff')).toEqual([400, 'InvalidRequest'])
    expect(await status('GET', '/objects/changes/a', { authorization: '' })).toEqual([
      ...[400, 'AuthorizationHeaderMalformed'],
    ])
    const anonymous = await fetch(`${url}/objects/changes/a`)
    expect([anonymous.status, await anonymous.text()]).toEqual([403, expect.stringContaining('AccessDenied')])
    expect(await status('GET', '/objects/changes/a', { authorization: 'Bearer x' })).toEqual([
      ...[403, 'InvalidAccessKeyId'],
    ])
    expect(await status('DELETE', '/objects/changes/a')).toEqual([204, undefined])
  })

  it('are limited in number', async () => {
    const put = async (name: number) => {
      const headers = { authorization: `Bearer ${id}.${secret}` }
      const options = { method: 'PUT', body: 'x', headers }
      return (await fetch(`${setup.url}/objects/changes/${name}`, options)).status
    }
    const statuses: number[] = []
    for (let name = 0; name < 201; name++) statuses.push(await put(name))
    expect([statuses.filter(status => status === 200).length, statuses.at(-1)]).toEqual([200, 503])
  })
})

const day = (time: string) => time.slice(0, 8)
const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')

/** Sends an object in signed chunks with a signed trailer, as clients of S3 do that sign each chunk. */
async function putSigned(
  url: string,
  chunks: readonly string[],
  change: (body: string) => string = body => body,
) {
  const form = 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER'
  const content = chunks.join('')
  const host = new URL(url).host
  const headers = [
    ...['Host', host, 'Content-Encoding', 'aws-chunked', 'x-amz-content-sha256', form],
    ...['x-amz-decoded-content-length', String(content.length), 'x-amz-trailer', 'x-amz-checksum-crc32'],
  ]
  const target = '/objects/changes/signed'
  const signed = signatureHeaders(
    { method: 'PUT', target, headers, body: form },
    { accessKeyId: id, secretAccessKey: secret },
    { region: 'local', service: 's3', now: Date.now() },
  )
  const time = signed['x-amz-date']
  const hmac = (by: string | Buffer, of: string) => createHmac('sha256', by).update(of).digest()
  const signingKey = [day(time), 'local', 's3', 'aws4_request'].reduce<Buffer>(
    hmac,
    Buffer.from(`AWS4${secret}`),
  )
  let previous = signed.authorization.slice(-64)
  const sign = (kind: string, ...digests: readonly string[]) => {
    const scope = `${day(time)}/local/s3/aws4_request`
    const lines = [`AWS4-HMAC-SHA256-${kind}`, time, scope, previous, ...digests]
    previous = hmac(signingKey, lines.join('\n')).toString('hex')
    return previous
  }
  const pieces = [...chunks, ''].map(chunk => {
    const signature = sign('PAYLOAD', sha256(''), sha256(chunk))
    return `${chunk.length.toString(16)};chunk-signature=${signature}\r\n${chunk}${chunk === '' ? '' : '\r\n'}`
  })
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32BE(crc32(content))
  const trailer = `x-amz-checksum-crc32:${checksum.toString('base64')}`
  const signature = sign('TRAILER', sha256(`${trailer}\n`))
  const body = change(`${pieces.join('')}${trailer}\r\nx-amz-trailer-signature:${signature}\r\n\r\n`)
  const all = { ...signed, 'content-length': String(body.length), connection: 'close' }
  const lines = Array.from(
    { length: headers.length / 2 },
    (_, at) => `${headers[2 * at]}: ${headers[2 * at + 1]}`,
  )
  lines.push(...Object.entries(all).map(([name, value]) => `${name}: ${value}`))
  const { responses } = await talk(url, `PUT ${target} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
  const [response] = responses
  return response!.status === 200 ? 200 : /<Code>(.*)<\/Code>/.exec(String(response!.body))![1]
}

describe('an object in signed chunks with a signed trailer', () => {
  const chunks = ['a'.repeat(9000), 'b'.repeat(100)]

  it('has the content of the chunks', async () => {
    expect(await putSigned(setup.url, chunks)).toBe(200)
    const { Body } = await setup.clients.objects.send(new GetObjectCommand({ ...place, Key: 'signed' }))
    expect(await Body!.transformToString()).toBe(chunks.join(''))
  })

  it.each<[string, string, (body: string) => string]>([
    ['a changed chunk', 'SignatureDoesNotMatch', body => body.replace('aaaaaaaa', 'xaaaaaaa')],
    [
      'a chunk without a signature',
      'SignatureDoesNotMatch',
      body => body.replace(/;chunk-signature=\w+/, ''),
    ],
    ['a changed trailer', 'SignatureDoesNotMatch', body => body.replace('crc32:', 'crc32:x')],
    [
      'an unsigned trailer',
      'SignatureDoesNotMatch',
      body => body.replace(/x-amz-trailer-signature.*\r\n/, ''),
    ],
    ['a missing last chunk', 'IncompleteBody', body => body.slice(0, body.indexOf('\r\n0;') + 2)],
    ['half a chunk', 'IncompleteBody', body => body.slice(0, 5000)],
    ['a size that is no number', 'InvalidRequest', body => `x${body}`],
    [
      'a chunk that is longer than its size',
      'InvalidRequest',
      body => body.replace('bbbbbbbb\r\n', 'bbbbbbbbb\r\n'),
    ],
    ['more after its end', 'InvalidRequest', body => `${body}more`],
    [
      'a long trailer',
      'InvalidRequest',
      body => body.replace('x-amz-tr', `${'x-a:b\r\n'.repeat(150)}x-amz-tr`),
    ],
    ['a trailer that is no header', 'InvalidRequest', body => body.replace('crc32:', 'crc32')],
  ])('is refused with %s', async (_, code, change) => {
    expect(await putSigned(setup.url, chunks, change)).toBe(code)
    const get = setup.clients.objects.send(new GetObjectCommand({ ...place, Key: 'signed' }))
    expect((await errorOf(get))?.[0]).toBe('NoSuchKey')
  })
})

it.each([
  [128, 200],
  [129, 400],
])('an object in %d chunks of one byte gets the status %d', async (count, status) => {
  const response = await fetch(`${setup.url}/objects/changes/small`, {
    ...{ method: 'PUT', body: `${'1\r\nx\r\n'.repeat(count)}0\r\n\r\n` },
    headers: { authorization: `Bearer ${id}.${secret}`, 'content-encoding': 'aws-chunked' },
  })
  expect(response.status).toBe(status)
})

it.each([
  ['Content-MD5', { 'content-md5': 'x' }, 'BadDigest'],
  ['a checksum', { 'x-amz-checksum-crc32': 'x' }, 'BadDigest'],
  ['an unknown checksum', { 'x-amz-checksum-xxhash64': 'x' }, 'InvalidRequest'],
  [
    'the digest in x-amz-content-sha256',
    { 'x-amz-content-sha256': 'a'.repeat(64) },
    'XAmzContentSHA256Mismatch',
  ],
  [
    'the length of the content',
    { 'content-encoding': 'aws-chunked', 'x-amz-decoded-content-length': '9' },
    'IncompleteBody',
  ],
  [
    'a trailer that does not come',
    { 'content-encoding': 'aws-chunked', 'x-amz-trailer': 'x-amz-checksum-sha1' },
    'InvalidRequest',
  ],
])('an object is refused when the client is wrong about %s', async (_, headers, code) => {
  const response = await fetch(`${setup.url}/objects/changes/a`, {
    ...{ method: 'PUT', body: '1\r\nx\r\n0\r\n\r\n' },
    headers: { authorization: `Bearer ${id}.${secret}`, ...headers },
  })
  expect(await response.text()).toContain(`<Code>${code}</Code>`)
})

it('a function finds the message API in its environment, and its own token opens the mail that it has', async () => {
  using folder = temporaryFolder()
  writeFileSync(
    join(folder.path, 'sort.mjs'),
    `const token = { authorization: 'Bearer ' + process.env.SIGNALBOX_CONTROL_TOKEN }
     export async function handler({ messageId }) {
       const url = process.env.AWS_ENDPOINT_URL_WORKMAILMESSAGEFLOW
       const call = async (method, path, body) => {
         const response = await fetch(url + path, { method, headers: token, ...(body !== undefined && { body }) })
         return [response.status, await response.text()]
       }
       const [, raw] = await call('GET', '/messages/' + messageId)
       await call('PUT', '/objects/changes/a', raw.replace('Hi!', 'HI!'))
       const reference = { content: { s3Reference: { bucket: 'changes', key: 'a' } } }
       const [other] = await call('POST', '/messages/other', JSON.stringify(reference))
       const [invalid] = await call('POST', '/messages/' + messageId, '{}')
       const [changed] = await call('POST', '/messages/' + messageId, JSON.stringify(reference))
       const statuses = [other, invalid, changed, (await call('PUT', '/messages/' + messageId))[0]]
       if (statuses.join() !== '403,400,200,404') throw new Error(statuses.join())
       return { actions: [{ allRecipients: true, action: { type: 'DEFAULT' } }] }
     }`,
  )
  const functions = { sort: { module: './sort.mjs' } }
  const own = await started(
    {},
    { rules: [{ direction: 'INBOUND', function: 'sort' }] },
    { access, functions },
    folder.path,
  )
  await own.send()
  expect(await own.delivered(bob)).toContain('HI!')
})
