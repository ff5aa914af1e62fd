export type { BodyKind } from './body.ts'
export { type CompressOptions, compress } from './compress.ts'
export type { LoadBalancerEvent, LoadBalancerResponse, Method } from './contract/index.ts'
export type { Cookies } from './cookies.ts'
export { type CorsOptions, cors } from './cors.ts'
export { etag } from './etag.ts'
export { loadBalancerFamily } from './family.ts'
export { fromFetch } from './from-fetch.ts'
export { group } from './group.ts'
export { HttpError, type HttpErrorOptions, type RequestProblem } from './http-error.ts'
export type { HttpMiddleware } from './http-middleware.ts'
export type { HttpRequest } from './http-request.ts'
export { type LoadBalancerOptions, loadBalancer } from './load-balancer.ts'
export {
  loadBalancerNormalizer,
  loadBalancerValidator,
  type ResponseSerializerOptions,
  responseSerializer,
} from './middlewares.ts'
export type { Path, PathParams } from './path-params.ts'
export { type ProblemMembers, problem } from './problem.ts'
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
} from './reply.ts'
export {
  type AddRoute,
  any,
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
} from './route.ts'
export type { RouteInput } from './route-input.ts'
export { type Router, type RouterOptions, router } from './router.ts'
export { type SecurityHeadersOptions, securityHeaders } from './security-headers.ts'
export { serialize } from './serializer.ts'
export { type CookieOptions, withCookie, withoutCookie } from './set-cookie.ts'
export type { Values } from './values.ts'
