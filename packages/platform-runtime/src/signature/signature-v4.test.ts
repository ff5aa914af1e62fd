import { describe, expect, it } from '@jest/globals'
import {
  type SignableRequest,
  signatureClaim,
  signatureHeaders,
  signingKeys,
  verifySignature,
} from './index.ts'
import {
  accessKeyId,
  check,
  now,
  secretAccessKey,
  signed,
  vanilla,
  vectors,
} from './testing/aws-test-suite.ts'

describe('verifySignature()', () => {
  it.each(vectors)('accepts the AWS test vector %s', (...vector) => {
    const keys = signingKeys()
    // The second check uses the key and the layout that the first check has kept.
    for (const _ of [1, 2])
      expect(verifySignature(signed(vector), { ...check, keys })).toEqual({
        accessKeyId,
        region: 'us-east-1',
      })
  })
})

describe('a signed request', () => {
  const request = signed(vanilla)
  const withHeader = (name: string, value: string): SignableRequest => {
    const headers = [...request.headers]
    const at = headers.findIndex((each, index) => index % 2 === 0 && each === name)
    headers.splice(at < 0 ? headers.length : at, 2, name, value)
    return { ...request, headers }
  }
  const authorization = request.headers.at(-1)!
  /** Returns the arguments of a check that has already kept the key and the layout of the unchanged request. */
  const checkAgain = () => {
    const again = { ...check, keys: signingKeys() }
    verifySignature(request, again)
    return again
  }

  it.each<[what: string, SignableRequest]>([
    ['method', { ...request, method: 'PUT' }],
    ['path', { ...request, target: '/other' }],
    ['query', { ...request, target: '/?a=b' }],
    ['body', { ...request, body: Buffer.from('Param1=value2') }],
    ['signed header', withHeader('Content-Type', 'text/plain')],
    [
      'signature',
      withHeader(
        'Authorization',
        authorization.replace(/.$/, digit => (digit === '0' ? '1' : '0')),
      ),
    ],
    ['region', withHeader('Authorization', authorization.replace('us-east-1', 'us-east-2'))],
  ])('is refused when its %s has changed', (_what, changed) => {
    for (const each of [check, checkAgain()])
      expect(verifySignature(changed, each)).toMatchObject({
        problem: 'InvalidSignature',
        message: expect.stringMatching(/^The request signature we calculated does not match/),
      })
  })

  it.each<[what: string, SignableRequest, problem: string, message: RegExp]>([
    [
      'a missing signature',
      { ...request, headers: request.headers.slice(0, -2) },
      'MissingAuthenticationToken',
      /^Missing Authentication Token$/,
    ],
    [
      'another authentication scheme',
      withHeader('Authorization', 'Bearer abc'),
      'IncompleteSignature',
      /AWS4-HMAC-SHA256/,
    ],
    [
      'no signed headers',
      withHeader('Authorization', authorization.replace(/SignedHeaders=[^,]*, /, '')),
      'IncompleteSignature',
      /'SignedHeaders'/,
    ],
    [
      'a credential without a scope',
      withHeader('Authorization', authorization.replace(/\/2015[^,]*/, '')),
      'IncompleteSignature',
      /KEY\/DATE\/REGION/,
    ],
    [
      'a short signature',
      withHeader('Authorization', authorization.slice(0, -1)),
      'IncompleteSignature',
      /64 hexadecimal digits/,
    ],
    ['an invalid date', withHeader('X-Amz-Date', 'now'), 'IncompleteSignature', /X-Amz-Date/],
    [
      'an unknown access key',
      withHeader('Authorization', authorization.replace(accessKeyId, 'AKIDOTHER')),
      'UnrecognizedClient',
      /^The security token included in the request is invalid\.$/,
    ],
    [
      'a different date in its scope',
      withHeader('Authorization', authorization.replace('20150830', '20150831')),
      'InvalidSignature',
      /^Date in Credential scope/,
    ],
    [
      'a different service in its scope',
      withHeader('Authorization', authorization.replace('/service/', '/sqs/')),
      'InvalidSignature',
      /correct service: 'service'/,
    ],
    [
      'an unsigned Host header',
      withHeader('Authorization', authorization.replace(';host;', ';')),
      'InvalidSignature',
      /^'Host' must be a 'SignedHeader'/,
    ],
    [
      'an unsigned X-Amz-Target header',
      withHeader('X-Amz-Target', 'Service.Other'),
      'InvalidSignature',
      /^'X-Amz-Target' must be a 'SignedHeader'/,
    ],
  ])('is refused with %s', (_what, changed, problem, message) => {
    for (const each of [check, checkAgain()])
      expect(verifySignature(changed, each)).toMatchObject({
        problem,
        message: expect.stringMatching(message),
      })
  })

  it('is refused as soon as the secret of its key changes', () => {
    const again = { ...checkAgain(), secretOf: () => 'another secret' }
    expect(verifySignature(request, again)).toMatchObject({ problem: 'InvalidSignature' })
  })

  it('is valid with its headers in a different order, and then in the original order again', () => {
    const again = checkAgain()
    const [host, name, ...rest] = request.headers
    for (const headers of [[...rest, host!, name!], request.headers])
      expect(verifySignature({ ...request, headers }, again)).toHaveProperty('accessKeyId')
  })

  it('is refused when a header of the same name is added after a valid request', () => {
    const headers = ['Content-Type', 'text/plain', ...request.headers]
    expect(verifySignature({ ...request, headers }, checkAgain())).toMatchObject({
      problem: 'InvalidSignature',
    })
  })

  it('is valid for fifteen minutes before and after its date', () => {
    const at = (minutes: number) => verifySignature(request, { ...check, now: now + minutes * 60_000 })
    for (const minutes of [-15, 15]) expect(at(minutes)).toHaveProperty('accessKeyId')
    expect(at(15.1)).toMatchObject({
      problem: 'InvalidSignature',
      message: expect.stringMatching(/^Signature expired/),
    })
    expect(at(-15.1)).toMatchObject({ message: expect.stringMatching(/^Signature not yet current/) })
  })

  it('is refused when it expired a second ago and a request that is still valid came before it', () => {
    const from = (at: number) => {
      const head = { method: 'POST', target: '/', headers: ['host', 'localhost'], body: Buffer.from('') }
      const scope = { region: 'eu-1', service: 'service', now: at }
      const signature = signatureHeaders(head, { accessKeyId, secretAccessKey }, scope)
      return { ...head, headers: [...head.headers, ...Object.entries(signature).flat()] }
    }
    const again = { ...check, keys: signingKeys() }
    for (const _ of [1, 2]) {
      expect(verifySignature(from(now - 15 * 60_000), again)).toHaveProperty('accessKeyId')
      expect(verifySignature(from(now - 15 * 60_000 - 1000), again)).toMatchObject({
        message: expect.stringMatching(/^Signature expired/),
      })
    }
  })

  it('is valid when signatureHeaders() signed it', () => {
    const plain: SignableRequest = {
      method: 'POST',
      target: '/a%20b//c?x=1&x=&%C3%BC=%2B',
      headers: ['host', 'localhost:9331', 'X-Amz-Target', 'Service.Operation'],
      body: Buffer.from('{}'),
    }
    const made = signatureHeaders(
      plain,
      { accessKeyId, secretAccessKey },
      { region: 'eu-1', service: 'service', now },
    )
    const headers = [...plain.headers, ...Object.entries(made).flat()]
    expect(verifySignature({ ...plain, headers }, check)).toEqual({ accessKeyId, region: 'eu-1' })
    expect(
      verifySignature({ ...plain, headers, target: '/a%20b/c?x=1&x=&%C3%BC=%2C' }, check),
    ).toHaveProperty('problem')
  })
})

describe('a request to S3 with signed chunks', () => {
  // The request and the signatures of the example in the documentation of S3.
  const key = {
    accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
    secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  }
  const form = 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD'
  const seed = '4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9'
  const signedHeaders =
    'content-encoding;content-length;host;x-amz-content-sha256;x-amz-date;x-amz-decoded-content-length;x-amz-storage-class'
  const headers = [
    ...[
      'Host',
      's3.amazonaws.com',
      'x-amz-date',
      '20130524T000000Z',
      'x-amz-storage-class',
      'REDUCED_REDUNDANCY',
    ],
    ...['x-amz-content-sha256', form, 'Content-Encoding', 'aws-chunked'],
    ...['x-amz-decoded-content-length', '66560', 'Content-Length', '66824'],
    'Authorization',
    `AWS4-HMAC-SHA256 Credential=${key.accessKeyId}/20130524/us-east-1/s3/aws4_request,SignedHeaders=${signedHeaders},Signature=${seed}`,
  ]
  const claimOf = (target: string) => {
    const claim = signatureClaim(
      { method: 'PUT', target, headers },
      { secretOf: () => key.secretAccessKey, service: 's3', now: Date.UTC(2013, 4, 24) },
    )
    if ('problem' in claim) throw new Error(claim.message)
    return claim
  }

  it('is valid, and so is the signature of each chunk', () => {
    const claim = claimOf('/examplebucket/chunkObject.txt')
    expect(claim.verify(form)).toEqual({ accessKeyId: key.accessKeyId, region: 'us-east-1' })
    expect(claim.verify(new Uint8Array())).toMatchObject({ problem: 'InvalidSignature' })
    let previous = claim.signature
    const chunks = [65_536, 1024, 0].map(size => {
      previous = claim.chunkSignature('PAYLOAD', previous, Buffer.alloc(size, 'a'))
      return previous
    })
    expect(chunks).toEqual([
      'ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648',
      '0055627c9e194cb4542bae2aa5492e3c1575bbb81b612b7d234b86a503ef5497',
      'b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9',
    ])
  })

  it('is signed with its path as it is', () => {
    expect(claimOf('/examplebucket//chunkObject.txt').verify(form)).toMatchObject({
      problem: 'InvalidSignature',
    })
  })
})
