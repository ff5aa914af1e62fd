export { eventFields, LoadBalancerEvent, MultiMap, SingleMap } from './event.ts'
export type { Described, Field, Fields } from './field.ts'
export { headBytes } from './head-bytes.ts'
export { connectionOptions, hopByHopHeaders, isFieldName, isFieldValue, isHopByHop } from './header-field.ts'
export {
  type HeaderLine,
  type HttpResponse,
  type HttpVerdict,
  httpValueVerdict,
  httpVerdict,
} from './http-verdict.ts'
export {
  malformedStatus,
  maxRequestBodyBytes,
  maxResponseBytes,
  maxResponseHeadBytes,
  requestTooLargeStatus,
  webSocketStatus,
} from './limits.ts'
export { type Method, methods } from './methods.ts'
export { isMultiValue } from './multi-value.ts'
export { refusal } from './refusal.ts'
export { type RawRequest, requestEvent, type TargetGroup } from './request-event.ts'
export {
  type LoadBalancerResponse,
  MultiValueResponse,
  responseFields,
  SingleValueResponse,
} from './response.ts'
export { charsetOf, isTextBody, mediaType, textMediaTypes } from './text-body.ts'
