export type { LoadBalancerEvent, LoadBalancerResponse, Method } from './contract/index.ts'
export { loadBalancerFamily } from './family.ts'
export { type LoadBalancerOptions, loadBalancer } from './load-balancer.ts'
export { type CompressOptions, compress } from './middleware/compress.ts'
export { type CorsOptions, cors } from './middleware/cors.ts'
export { etag } from './middleware/etag.ts'
export type { HttpMiddleware } from './middleware/http-middleware.ts'
export {
  loadBalancerNormalizer,
  loadBalancerValidator,
  type ResponseSerializerOptions,
  responseSerializer,
} from './middleware/middlewares.ts'
export { type OnceOptions, once } from './middleware/once.ts'
export { type RateLimitOptions, rateLimit } from './middleware/rate-limit.ts'
export { type SecurityHeadersOptions, securityHeaders } from './middleware/security-headers.ts'
export type { BodyKind } from './request/body.ts'
export type { Cookies } from './request/cookies.ts'
export type { HttpRequest } from './request/http-request.ts'
export { toWebRequest } from './request/to-web-request.ts'
export type { Values } from './request/values.ts'
export type { ErrorMap } from './response/error-map.ts'
export { HttpError, type HttpErrorOptions, type RequestProblem } from './response/http-error.ts'
export { type ProblemMembers, problem } from './response/problem.ts'
export {
  type Answer,
  bytes,
  created,
  file,
  html,
  json,
  noContent,
  type Reply,
  type ReplyHeaders,
  type ReplyInit,
  redirect,
  type Sendable,
  text,
} from './response/reply.ts'
export { serialize } from './response/serializer.ts'
export { type CookieOptions, withCookie, withoutCookie } from './response/set-cookie.ts'
export { type BodyByType, byType } from './routing/by-type.ts'
export { checkReturns } from './routing/check-returns.ts'
export type { Declared, Returns, RouteDescription, WireOf } from './routing/declared.ts'
export { type FetchBindings, fromFetch } from './routing/from-fetch.ts'
export {
  type AddGroup,
  type DeclaredIn,
  type GroupOptions,
  type GroupRoutes,
  group,
  type InlineMiddleware,
  type RouteAdders,
} from './routing/group.ts'
export { type Guard, type GuardedRequest, guard } from './routing/guard.ts'
export type { Path, PathParams } from './routing/path-params.ts'
export { type Produces, produces } from './routing/produces.ts'
export {
  type AddRoute,
  any,
  type Declares,
  del,
  get,
  head,
  type MiddyHandler,
  options,
  patch,
  post,
  put,
  type Route,
  type RouteGroup,
  type RouteHandler,
} from './routing/route.ts'
export type { AnyRouteInput, RouteInput } from './routing/route-input.ts'
export { type Router, type RouterOptions, router } from './routing/router.ts'
