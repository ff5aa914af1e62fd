import { describe, expect, it } from '@jest/globals'
import {
  type SignableRequest,
  signatureClaim,
  signatureHeaders,
  signingKeys,
  verifySignature,
} from './index.ts'

// These are the requests and signatures of the Signature Version 4 test suite that AWS has published.
const accessKeyId = 'AKIDEXAMPLE'
const secretAccessKey = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY'
const token = [
  'X-Amz-Security-Token',
  'AQoDYXdzEPT//////////wEXAMPLEtc764bNrC9SAPBSM22wDOk4x4HIZ8j4FZTwdQWLWsKWHGBuFqwAeMicRXmxfpSPfIeoIYRqTflfKD8YUuwthAx7mSEI/qkPpKPi/kMcGdQrmGdeehM4IC1NtBmUpp2wUE8phUZampKsburEDy0KPkyQDYwT7WZ0wq5VSXDvp75YU9HFvlRd8Tx6q6fE8YQcHNVXAkiY9q6d+xo0rKwT38xVqr7ZD0u0iPPkUL64lIZbqBAz+scqKmlzm8FDrypNC9Yjc8fPOLn9FX9KSYvKTr4rvx3iSIlTJabIQwj2ICCR/oLxBA==',
]
const vectors: readonly (readonly [
  name: string,
  method: string,
  target: string,
  headers: readonly string[],
  body: string,
  signedHeaders: string,
  signature: string,
])[] = [
  [
    'get-header-key-duplicate',
    'GET',
    '/',
    ['My-Header1', 'value2', 'My-Header1', 'value2', 'My-Header1', 'value1'],
    '',
    'host;my-header1;x-amz-date',
    'c9d5ea9f3f72853aea855b47ea873832890dbdd183b4468f858259531a5138ea',
  ],
  [
    'get-header-value-order',
    'GET',
    '/',
    ['My-Header1', 'value4', 'My-Header1', 'value1', 'My-Header1', 'value3', 'My-Header1', 'value2'],
    '',
    'host;my-header1;x-amz-date',
    '08c7e5a9acfcfeb3ab6b2185e75ce8b1deb5e634ec47601a50643f830c755c01',
  ],
  [
    'get-header-value-trim',
    'GET',
    '/',
    ['My-Header1', 'value1', 'My-Header2', '"a   b   c"'],
    '',
    'host;my-header1;my-header2;x-amz-date',
    'acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736',
  ],
  [
    'get-unreserved',
    'GET',
    '/-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz',
    [],
    '',
    'host;x-amz-date',
    '07ef7494c76fa4850883e2b006601f940f8a34d404d0cfa977f52a65bbf5f24f',
  ],
  [
    'get-vanilla',
    'GET',
    '/',
    [],
    '',
    'host;x-amz-date',
    '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31',
  ],
  [
    'get-vanilla-empty-query-key',
    'GET',
    '/?Param1=value1',
    [],
    '',
    'host;x-amz-date',
    'a67d582fa61cc504c4bae71f336f98b97f1ea3c7a6bfe1b6e45aec72011b9aeb',
  ],
  [
    'get-vanilla-query',
    'GET',
    '/',
    [],
    '',
    'host;x-amz-date',
    '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31',
  ],
  [
    'get-vanilla-query-order-key',
    'GET',
    '/?Param1=value2&Param1=Value1',
    [],
    '',
    'host;x-amz-date',
    'eedbc4e291e521cf13422ffca22be7d2eb8146eecf653089df300a15b2382bd1',
  ],
  [
    'get-vanilla-query-order-key-case',
    'GET',
    '/?Param2=value2&Param1=value1',
    [],
    '',
    'host;x-amz-date',
    'b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500',
  ],
  [
    'get-vanilla-query-order-value',
    'GET',
    '/?Param1=value2&Param1=value1',
    [],
    '',
    'host;x-amz-date',
    '5772eed61e12b33fae39ee5e7012498b51d56abc0abb7c60486157bd471c4694',
  ],
  [
    'get-vanilla-query-unreserved',
    'GET',
    '/?-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz=-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz',
    [],
    '',
    'host;x-amz-date',
    '9c3e54bfcdf0b19771a7f523ee5669cdf59bc7cc0884027167c21bb143a40197',
  ],
  [
    'get-vanilla-utf8-query',
    'GET',
    '/?ሴ=bar',
    [],
    '',
    'host;x-amz-date',
    '2cdec8eed098649ff3a119c94853b13c643bcf08f8b0a1d91e12c9027818dd04',
  ],
  [
    'post-header-key-case',
    'POST',
    '/',
    [],
    '',
    'host;x-amz-date',
    '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b',
  ],
  [
    'post-header-key-sort',
    'POST',
    '/',
    ['My-Header1', 'value1'],
    '',
    'host;my-header1;x-amz-date',
    'c5410059b04c1ee005303aed430f6e6645f61f4dc9e1461ec8f8916fdf18852c',
  ],
  [
    'post-header-value-case',
    'POST',
    '/',
    ['My-Header1', 'VALUE1'],
    '',
    'host;my-header1;x-amz-date',
    'cdbc9802e29d2942e5e10b5bccfdd67c5f22c7c4e8ae67b53629efa58b974b7d',
  ],
  [
    'post-vanilla',
    'POST',
    '/',
    [],
    '',
    'host;x-amz-date',
    '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b',
  ],
  [
    'post-vanilla-empty-query-value',
    'POST',
    '/?Param1=value1',
    [],
    '',
    'host;x-amz-date',
    '28038455d6de14eafc1f9222cf5aa6f1a96197d7deb8263271d420d138af7f11',
  ],
  [
    'post-vanilla-query',
    'POST',
    '/?Param1=value1',
    [],
    '',
    'host;x-amz-date',
    '28038455d6de14eafc1f9222cf5aa6f1a96197d7deb8263271d420d138af7f11',
  ],
  [
    'post-x-www-form-urlencoded',
    'POST',
    '/',
    ['Content-Type', 'application/x-www-form-urlencoded'],
    'Param1=value1',
    'content-type;host;x-amz-date',
    'ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a',
  ],
  [
    'post-x-www-form-urlencoded-parameters',
    'POST',
    '/',
    ['Content-Type', 'application/x-www-form-urlencoded; charset=utf8'],
    'Param1=value1',
    'content-type;host;x-amz-date',
    '1a72ec8f64bd914b0e42e42607c7fbce7fb2c7465f63e3092b3b0d39fa77a6fe',
  ],
  [
    'get-relative',
    'GET',
    '/example/..',
    [],
    '',
    'host;x-amz-date',
    '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31',
  ],
  [
    'get-relative-relative',
    'GET',
    '/example1/example2/../..',
    [],
    '',
    'host;x-amz-date',
    '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31',
  ],
  [
    'get-slash',
    'GET',
    '//',
    [],
    '',
    'host;x-amz-date',
    '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31',
  ],
  [
    'get-slash-dot-slash',
    'GET',
    '/./',
    [],
    '',
    'host;x-amz-date',
    '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31',
  ],
  [
    'get-slash-pointless-dot',
    'GET',
    '/./example',
    [],
    '',
    'host;x-amz-date',
    'ef75d96142cf21edca26f06005da7988e4f8dc83a165a80865db7089db637ec5',
  ],
  [
    'get-slashes',
    'GET',
    '//example//',
    [],
    '',
    'host;x-amz-date',
    '9a624bd73a37c9a373b5312afbebe7a714a789de108f0bdfe846570885f57e84',
  ],
  [
    'post-sts-header-after',
    'POST',
    '/',
    [...token],
    '',
    'host;x-amz-date',
    '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b',
  ],
  [
    'post-sts-header-before',
    'POST',
    '/',
    [...token],
    '',
    'host;x-amz-date;x-amz-security-token',
    '85d96828115b5dc0cfc3bd16ad9e210dd772bbebba041836c64533a82be05ead',
  ],
]

const time = '20150830T123600Z'
const now = Date.UTC(2015, 7, 30, 12, 36)
const check = {
  secretOf: (id: string) => (id === accessKeyId ? secretAccessKey : undefined),
  service: 'service',
  now,
}

function signed(
  [, method, target, headers, body, signedHeaders, signature]: (typeof vectors)[number],
  authorization = `AWS4-HMAC-SHA256 Credential=${accessKeyId}/20150830/us-east-1/service/aws4_request, SignedHeaders=${signedHeaders}, Signature=${signature}`,
): SignableRequest {
  const always = ['Host', 'example.amazonaws.com', 'X-Amz-Date', time]
  return {
    method,
    target,
    headers: [...always, ...headers, 'Authorization', authorization],
    body: Buffer.from(body),
  }
}

const vanilla = vectors.find(([name]) => name === 'post-x-www-form-urlencoded')!

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
