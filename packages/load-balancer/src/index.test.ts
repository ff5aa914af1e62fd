import { expect, it } from '@jest/globals'
import * as loadBalancer from './index.ts'

it('@signalbox/load-balancer exports exactly these names', () => {
  expect(Object.keys(loadBalancer)).toMatchInlineSnapshot(`
[
  "HttpError",
  "any",
  "byType",
  "bytes",
  "checkReturns",
  "compress",
  "cors",
  "created",
  "del",
  "etag",
  "file",
  "fromFetch",
  "get",
  "group",
  "guard",
  "head",
  "html",
  "json",
  "loadBalancer",
  "loadBalancerFamily",
  "loadBalancerNormalizer",
  "loadBalancerValidator",
  "noContent",
  "once",
  "options",
  "patch",
  "post",
  "problem",
  "produces",
  "put",
  "rateLimit",
  "redirect",
  "responseSerializer",
  "router",
  "securityHeaders",
  "serialize",
  "text",
  "withCookie",
  "withoutCookie",
]
`)
})
