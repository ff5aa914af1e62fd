import {
  type ConfigOf,
  integerFrom,
  isObject,
  listOf,
  matching,
  nonEmptyText,
  objectOf,
  optional,
  required,
  textLike,
  wholeSeconds,
} from '@signalbox/platform-runtime/config'
import * as t from 'io-ts'
import { isNetwork } from './network.ts'
import {
  type AuthenticateConfig,
  authenticateFields,
  longestSeconds,
  type ReplacementConfig,
  replacementFields,
  type ValidateJwtConfig,
  validateJwtFields,
} from './sign-in-config.ts'

/** The ARN that events have in `requestContext.elb.targetGroupArn`. */
const targetGroupArn = textLike(
  'the ARN of a target group, such as arn:cloud:balancer:region-1:1:targetgroup/shop/7',
  /^arn(:[^:\s]+){4}:targetgroup\/\S+$/,
)

const targetFields = {
  /** The function that answers the requests. */
  function: required(t.string),
  /** The share of the requests: the weight, divided by the sum of all weights. From 0 to 999. Default 1. */
  weight: optional(integerFrom(0, 999), 1),
  /** Whether events contain every value of a repeated header or parameter. Default false. */
  multiValueHeaders: optional(t.boolean, false),
  /** The ARN of the target group in events. Default: made from the names of the load balancer and the function. */
  targetGroupArn: optional(targetGroupArn),
}

/** A function that answers a share of the requests. */
export interface TargetConfig<FunctionName extends string = string> extends ConfigOf<typeof targetFields> {
  readonly function: FunctionName
}

export const responseFields = {
  /** The status: 2xx, 4xx or 5xx. */
  status: required(
    matching<number>(
      'a status: 2xx, 4xx or 5xx',
      value => Number.isInteger(value) && /^[245]\d\d$/.test(String(value)),
    ),
  ),
  /** The content type. Default `text/plain`. */
  contentType: optional(
    matching<'text/plain' | 'text/css' | 'text/html' | 'application/javascript' | 'application/json'>(
      'text/plain, text/css, text/html, application/javascript or application/json',
      value => /^(?:text\/(?:plain|css|html)|application\/(?:javascript|json))$/.test(String(value)),
    ),
    'text/plain',
  ),
  /** The body, of at most 1,024 characters. Default: empty. */
  body: optional(textLike('a text of at most 1024 characters', /^.{0,1024}$/s), ''),
}

/** A response that does not come from a function. */
export interface ResponseConfig extends ConfigOf<typeof responseFields> {}

export const redirectFields = {
  /** 301, which clients keep, or 302. Default 302. */
  status: optional(
    matching<301 | 302>('301 or 302', value => value === 301 || value === 302),
    302,
  ),
  /** Default `#{protocol}`: that of the request. */
  protocol: optional(
    matching<'http' | 'https' | '#{protocol}'>('http, https or #{protocol}', value =>
      /^(?:https?|#\{protocol\})$/.test(String(value)),
    ),
    '#{protocol}',
  ),
  /** The host name, which may contain `#{host}`. Default: that of the request. */
  host: optional(
    textLike('a host name of at most 128 characters', /^(?:[\w.-]|#\{host\}){1,128}$/),
    '#{host}',
  ),
  /** The port. Default `#{port}`: that of the listener. */
  port: optional(textLike('a port as text, or #{port}', /^(?:[1-9]\d{0,4}|#\{port\})$/), '#{port}'),
  /** The path, which may contain `#{host}`, `#{path}` and `#{port}`. Default `/#{path}`. */
  path: optional(textLike('a path of at most 128 characters', /^\/[\x21-\x7e]{0,127}$/), '/#{path}'),
  /** The query, which may contain `#{query}` and the others. Default `#{query}`. */
  query: optional(
    textLike('a query of at most 128 characters, without ?', /^[\x21-\x3e\x40-\x7e]{0,128}$/),
    '#{query}',
  ),
}

/** A redirect. What it does not name is that of the request. */
export interface RedirectConfig extends ConfigOf<typeof redirectFields> {}

export const executionFields = {
  /**
   * The path below which clients see how their executions go, such as `/orders/executions`. Requests for it get the checks
   * of the action, and no rule.
   */
  statusPath: required(
    textLike('a path of at most 128 characters without a slash at its end', /^(?:\/[\w.~-]{1,64}){1,8}$/),
  ),
  /** The standard queue for documents about executions that failed. */
  onFailure: optional(nonEmptyText),
}

/** How requests start executions of a durable function. */
export interface RequestExecutionConfig extends ConfigOf<typeof executionFields> {}

export const actionFields = {
  /** Signs users in before the request goes on. The signed-in request has the claims about its user. */
  authenticate: optional(objectOf<AuthenticateConfig>(authenticateFields)),
  /** Lets requests go on only with a valid token in `Authorization: Bearer`. */
  validateJwt: optional(objectOf<ValidateJwtConfig>(validateJwtFields)),
  /** The function that answers the requests. */
  function: optional(t.string),
  /** Whether events of `function` contain every value of a repeated header or parameter. Default false. */
  multiValueHeaders: optional(t.boolean, false),
  /**
   * The ARN of the target group, which events have in `requestContext.elb.targetGroupArn`. Default: made from the name of
   * the load balancer, and the `region` and `account` of the configuration.
   */
  targetGroupArn: optional(targetGroupArn),
  /**
   * Answers each request with 202 as soon as its execution of the durable `function` has started. Default: the request
   * waits for the end.
   */
  execution: optional(objectOf<RequestExecutionConfig>(executionFields)),
  /** One to five functions that share the requests, instead of `function`. */
  forward: optional(listOf<TargetConfig>(targetFields, 'a list of functions with weights')),
  /** Seconds for which a client stays with its function of `forward`, from 1 to 604800. Default: not at all. */
  sticky: optional(wholeSeconds(1, longestSeconds)),
  /** A response that comes from no function. */
  respond: optional(objectOf<ResponseConfig>(responseFields)),
  /** A redirect to another address. */
  redirect: optional(objectOf<RedirectConfig>(redirectFields)),
}

const patterns = (name: string, form: RegExp) =>
  t.readonlyArray(textLike(name, form), `a list with ${name} each`)

/** Returns whether a value has lists of values by the names of headers. */
function isHeaderValues(value: unknown): boolean {
  return (
    isObject(value) &&
    Object.entries(value).every(
      ([name, values]) =>
        /^[\w!#$%&'*+.^`|~-]{1,40}$/.test(name) &&
        Array.isArray(values) &&
        values.length > 0 &&
        values.every(each => typeof each === 'string' && /^[\x20-\x7e]{1,128}$/.test(each)),
    )
  )
}

/** The form of a regular expression of a condition. Whether it is one, the rules of the load balancer check. */
const expressionForm = /^[\x20-\x7e]{1,128}$/

const rewriteFields = {
  /** Rewrites the host name in the header `host`, with its port if it has one. */
  host: optional(objectOf<ReplacementConfig>(replacementFields)),
  /** Rewrites the path together with the query, as the client sent them. */
  path: optional(objectOf<ReplacementConfig>(replacementFields)),
}

/** What a rule changes in requests before functions get them. */
export interface RewriteConfig extends ConfigOf<typeof rewriteFields> {}

const queryFields = {
  /** The name of the parameter. Default: any name. */
  key: optional(textLike('a name of at most 128 characters', /^[\x21-\x7e]{1,128}$/)),
  /** The value. */
  value: required(textLike('a value of at most 128 characters', /^[\x21-\x7e]{1,128}$/)),
}

export const ruleFields = {
  /** Host names with `*` and `?`, without regard to case: one of them has to match. */
  host: optional(patterns('a host name of at most 128 characters', /^[\w.*?-]{1,128}$/)),
  /** Paths with `*` and `?`: one of them has to match the whole path, as the client sent it, without the query. */
  path: optional(patterns('a path of at most 128 characters', /^[\w.$/~"'@:+&*?%=;,!()-]{1,128}$/)),
  /** Regular expressions of RE2 for the host name, in any case, instead of `host`: one of them has to match somewhere in it. */
  hostRegex: optional(patterns('a regular expression of at most 128 characters', expressionForm)),
  /** Regular expressions of RE2 for the path as the client sent it, instead of `path`: one has to match somewhere in it. */
  pathRegex: optional(patterns('a regular expression of at most 128 characters', expressionForm)),
  /** Methods such as `GET`. */
  method: optional(patterns('a method in capitals', /^[A-Z_-]{1,40}$/)),
  /**
   * Values by the names of headers, with `*` and `?` and without regard to case. Each header has to have one of its values.
   */
  headers: optional(
    matching<{ readonly [name: string]: readonly string[] }>(
      'lists of values of at most 128 characters, by the names of headers',
      isHeaderValues,
    ),
  ),
  /** Regular expressions of RE2 by the names of headers, in any case. Each header has to match one of its expressions. */
  headersRegex: optional(
    matching<{ readonly [name: string]: readonly string[] }>(
      'lists of regular expressions of at most 128 characters, by the names of headers',
      isHeaderValues,
    ),
  ),
  /** Parameters of the query, with `*` and `?` and without regard to case, not decoded: one of them has to be there. */
  query: optional(listOf<ConfigOf<typeof queryFields>>(queryFields, 'a list of keys and values')),
  /** Networks such as `10.0.0.0/8` of the clients that connect, whatever `X-Forwarded-For` says. */
  source: optional(
    t.readonlyArray(
      matching<string>('a network such as 10.0.0.0/8', isNetwork),
      'a list of networks such as 10.0.0.0/8',
    ),
  ),
  /** What functions get instead of the host and the path of a request. Rules are chosen, and users sign in, before that. */
  rewrite: optional(objectOf<RewriteConfig>(rewriteFields)),
  ...actionFields,
}

/** What a load balancer does with the requests that meet all conditions of a rule. */
export interface RuleConfig<FunctionName extends string = string> extends ConfigOf<typeof ruleFields> {
  readonly function?: FunctionName
  readonly forward?: readonly TargetConfig<FunctionName>[]
}
