import { defined, type Part } from '../config/config.ts'
import { poolSignIn } from './user-pools.ts'
import { arnOf, listOf, partOf, permission, refTo } from './values.ts'
import type { Writing } from './writing.ts'

const balancing = 'AWS::ElasticLoadBalancingV2'

/** The number between the priorities of rules, so that there is room for others. */
const priorityStep = 10

/**
 * Writes load balancers, with a listener, rules and target groups each.
 * @param userPools the user pools, which have to be written before
 */
export function writeLoadBalancers(
  loadBalancers: readonly (readonly [string, unknown])[],
  userPools: Part,
  writing: Writing,
): void {
  for (const [name, value] of loadBalancers) {
    const place = `loadBalancers.${name}`
    const { port, tls, rules, healthCheck, ...options } = partOf(value)
    const {
      function: callee,
      multiValueHeaders,
      targetGroupArn: _,
      forward,
      sticky,
      respond,
      redirect,
      authenticate,
      validateJwt,
      ...rest
    } = options
    // The service signs users in, and checks tokens, over https only.
    const isSecure =
      tls !== undefined ||
      [options, ...listOf(rules).map(partOf)].some(
        each => each.authenticate !== undefined || each.validateJwt !== undefined,
      )
    const id = writing.idOf('loadBalancers', name)
    const balancer = writing.idOf('balancers', `${id}Balancer`)
    writing.needParameter('Subnets', 'List<AWS::EC2::Subnet::Id>', 'The subnets of the load balancers')
    if (isSecure)
      writing.needParameter('Certificate', 'String', 'The ARN of the certificate of the load balancers')
    writing.add({
      id: balancer,
      type: `${balancing}::LoadBalancer`,
      properties: { Type: 'application', Subnets: refTo('Subnets') },
    })
    const groups = targetGroups(id, healthCheck, writing)
    const identity = identityActions(id, userPools, writing)
    const own = { function: callee, multiValueHeaders, forward, sticky, respond, redirect }
    const DefaultActions = actionsOf({ ...own, authenticate, validateJwt }, place, groups, identity, writing)
    writing.add({
      id,
      type: `${balancing}::Listener`,
      properties: defined({
        LoadBalancerArn: refTo(balancer),
        Port: port === 0 ? 80 : port,
        Protocol: isSecure ? 'HTTPS' : 'HTTP',
        Certificates: isSecure ? [{ CertificateArn: refTo('Certificate') }] : undefined,
        DefaultActions,
      }),
    })
    for (const [at, rule] of listOf(rules).entries()) {
      const { host, path, method, headers, query, source, rewrite, ...more } = partOf(rule)
      const { hostRegex, pathRegex, headersRegex, ...actions } = more
      const Actions = actionsOf(actions, `${place}.rules.${at}`, groups, identity, writing)
      const isForwarded = Actions.at(-1)?.Type === 'forward'
      const at10 = (at + 1) * priorityStep
      writing.add({
        id: writing.idOf('rules', `${id}Rule${at + 1}`),
        type: `${balancing}::ListenerRule`,
        properties: defined({
          ListenerArn: refTo(id),
          Priority: at10,
          Conditions: conditionsOf(partOf(rule)),
          Actions,
          Transforms: rewrite === undefined || !isForwarded ? undefined : transformsOf(partOf(rewrite)),
        }),
      })
    }
    writing.rest(place, rest)
  }
}

/** Returns a function that adds the target group of a function, once, and returns its id. */
function targetGroups(id: string, healthCheck: unknown, writing: Writing) {
  const known = new Map<string, string>()
  return (name: string, isMulti: boolean): string => {
    const key = `${name} ${isMulti}`
    const group = known.get(key)
    if (group !== undefined) return group
    const callee = writing.idOf('functions', name)
    const found = writing.idOf('targetGroups', `${id}To${callee}${isMulti ? 'Multi' : ''}`)
    known.set(key, found)
    const { path, interval, healthyThreshold, unhealthyThreshold } = partOf(healthCheck)
    const allowed = writing.idOf('permissions', `${found}Permission`)
    writing.add(permission(allowed, callee, 'elasticloadbalancing'))
    writing.add({
      id: found,
      type: `${balancing}::TargetGroup`,
      properties: defined({
        TargetType: 'lambda',
        Targets: [{ Id: arnOf(callee) }],
        TargetGroupAttributes: isMulti
          ? [{ Key: 'lambda.multi_value_headers.enabled', Value: 'true' }]
          : undefined,
        ...(healthCheck !== undefined && {
          HealthCheckEnabled: true,
          HealthCheckPath: path,
          HealthCheckIntervalSeconds: interval,
          HealthyThresholdCount: healthyThreshold,
          UnhealthyThresholdCount: unhealthyThreshold,
        }),
      }),
    })
    return found
  }
}

/** What an action answers that the cloud could not do, so that no request gets in that should not. */
const unavailable: Part = { Type: 'fixed-response', FixedResponseConfig: { StatusCode: '503' } }

/** Returns the actions of a listener or a rule: what checks who sends a request, and what answers it. */
function actionsOf(
  { authenticate, validateJwt, ...options }: Part,
  place: string,
  groupOf: (name: string, isMulti: boolean) => string,
  identity: (checks: Part, place: string) => readonly Part[] | undefined,
  writing: Writing,
): readonly Part[] {
  const checks = identity({ authenticate, validateJwt }, place)
  if (checks === undefined) return [unavailable]
  const answer = actionOf(options, place, groupOf, writing)
  if (answer === unavailable) return [unavailable]
  if (checks.length === 0) return [answer]
  return [...checks, answer].map((action, at) => ({ ...action, Order: at + 1 }))
}

const claimFormats: { readonly [format: string]: string } = {
  text: 'single-string',
  list: 'string-array',
  words: 'space-separated-values',
}

/**
 * Returns a function that returns the actions that check who sends a request, or undefined for a sign-in that the service
 * could not do.
 */
function identityActions(id: string, userPools: Part, writing: Writing) {
  const secrets = new Map<string, Part>()
  const secretOf = (provider: string, clientId: unknown): Part => {
    const known = secrets.get(provider)
    if (known !== undefined) return known
    const name = writing.idOf('secrets', `${id}ClientSecret${secrets.size === 0 ? '' : secrets.size + 1}`)
    const found = writing.secret(name, `The secret of the client ${clientId} of a load balancer`)
    secrets.set(provider, found)
    return found
  }

  const signIn = (options: Part, place: string): Part | undefined => {
    const { pool, client, issuer, clientId, clientSecret, ...more } = options
    const { authorizationEndpoint, tokenEndpoint, userInfoEndpoint, ...others } = more
    const { scope, sessionCookie, sessionTimeout, onUnauthenticatedRequest, parameters, ...rest } = others
    writing.rest(place, rest)
    const session = {
      Scope: scope,
      SessionCookieName: sessionCookie,
      SessionTimeout: sessionTimeout,
      OnUnauthenticatedRequest: onUnauthenticatedRequest,
      AuthenticationRequestExtraParams: parameters,
    }
    if (pool !== undefined) {
      const AuthenticateCognitoConfig = poolSignIn(userPools, String(pool), String(client), writing)
      const { callbacks } = partOf(partOf(partOf(userPools[String(pool)]).clients)[String(client)])
      const hasCallback = listOf(callbacks).some(each =>
        /^https:\/\/.+\/oauth2\/idpresponse$/i.test(String(each)),
      )
      if (AuthenticateCognitoConfig !== undefined && !hasCallback)
        writing.missing(
          `${place}.client`,
          'the service refuses its sign-in until the client has the callback https://HOST/oauth2/idpresponse',
        )
      if (AuthenticateCognitoConfig !== undefined)
        return {
          Type: 'authenticate-cognito',
          AuthenticateCognitoConfig: defined({ ...AuthenticateCognitoConfig, ...session }),
        }
      writing.missing(place, 'the service needs a client of a user pool with a domain')
      return undefined
    }
    const needed = [issuer, clientId, clientSecret, authorizationEndpoint, tokenEndpoint, userInfoEndpoint]
    if (needed.includes(undefined)) {
      writing.missing(place, 'the service needs a clientSecret and all endpoints of the provider')
      return undefined
    }
    return {
      Type: 'authenticate-oidc',
      AuthenticateOidcConfig: defined({
        Issuer: issuer,
        ClientId: clientId,
        ClientSecret: secretOf(JSON.stringify([issuer, clientId, clientSecret]), clientId),
        AuthorizationEndpoint: authorizationEndpoint,
        TokenEndpoint: tokenEndpoint,
        UserInfoEndpoint: userInfoEndpoint,
        ...session,
      }),
    }
  }

  return ({ authenticate, validateJwt }: Part, place: string): readonly Part[] | undefined => {
    const actions: Part[] = []
    if (authenticate !== undefined) {
      const action = signIn(partOf(authenticate), `${place}.authenticate`)
      if (action === undefined) return undefined
      actions.push(action)
    }
    if (validateJwt !== undefined) {
      const { issuer, keys, claims, ...rest } = partOf(validateJwt)
      writing.rest(`${place}.validateJwt`, rest)
      const AdditionalClaims = listOf(claims)
        .map(partOf)
        .map(({ name, format = 'text', values }) => ({
          Name: name,
          Format: claimFormats[String(format)],
          Values: values,
        }))
      actions.push({
        Type: 'jwt-validation',
        JwtValidationConfig: defined({
          Issuer: issuer,
          JwksEndpoint: keys,
          AdditionalClaims: AdditionalClaims.length === 0 ? undefined : AdditionalClaims,
        }),
      })
    }
    return actions
  }
}

/** Returns the changes of the host and the path of requests. */
function transformsOf({ host, path }: Part): readonly Part[] {
  const rewrites = (value: unknown) => ({
    Rewrites: [{ Regex: partOf(value).regex, Replace: partOf(value).replace }],
  })
  return [
    ...(host === undefined ? [] : [{ Type: 'host-header-rewrite', HostHeaderRewriteConfig: rewrites(host) }]),
    ...(path === undefined ? [] : [{ Type: 'url-rewrite', UrlRewriteConfig: rewrites(path) }]),
  ]
}

function actionOf(
  options: Part,
  place: string,
  groupOf: (name: string, isMulti: boolean) => string,
  writing: Writing,
): Part {
  const {
    function: callee,
    multiValueHeaders,
    targetGroupArn: _,
    forward,
    sticky,
    respond,
    redirect,
    ...rest
  } = options
  writing.rest(place, rest)
  const targets =
    forward === undefined ? [{ function: callee, multiValueHeaders }] : listOf(forward).map(partOf)
  if (respond !== undefined) {
    const { status, contentType, body } = partOf(respond)
    return {
      Type: 'fixed-response',
      FixedResponseConfig: defined({
        StatusCode: String(status),
        ContentType: contentType,
        MessageBody: body,
      }),
    }
  }
  if (redirect !== undefined) {
    const { status = 302, protocol, host, port, path, query } = partOf(redirect)
    return {
      Type: 'redirect',
      RedirectConfig: defined({
        StatusCode: `HTTP_${status}`,
        Protocol:
          typeof protocol === 'string' ? protocol.replace(/^https?$/, text => text.toUpperCase()) : undefined,
        Host: host,
        Port: port,
        Path: path,
        Query: query,
      }),
    }
  }
  const lost = targets.find(target => !writing.isFunction(String(target.function)))
  if (lost !== undefined) {
    writing.missing(`${place}.function`, 'its function cannot be deployed')
    return unavailable
  }
  const groups = targets.map(target => groupOf(String(target.function), target.multiValueHeaders === true))
  const [only, ...more] = groups
  if (more.length === 0) return { Type: 'forward', TargetGroupArn: refTo(only!) }
  const TargetGroups = groups.map((group, at) => ({
    TargetGroupArn: refTo(group),
    Weight: (targets[at] as Part).weight ?? 1,
  }))
  return {
    Type: 'forward',
    ForwardConfig: defined({
      TargetGroups,
      TargetGroupStickinessConfig:
        sticky === undefined ? undefined : { Enabled: true, DurationSeconds: sticky },
    }),
  }
}

function conditionsOf(rule: Part): readonly Part[] {
  const { host, path, method, headers, query, source, hostRegex, pathRegex, headersRegex } = rule
  const patterns = (field: string, config: string, value: unknown, values = 'Values') =>
    value === undefined ? [] : [{ Field: field, [config]: { [values]: listOf(value) } }]
  return [
    ...patterns('host-header', 'HostHeaderConfig', host),
    ...patterns('path-pattern', 'PathPatternConfig', path),
    ...patterns('host-header', 'HostHeaderConfig', hostRegex, 'RegexValues'),
    ...patterns('path-pattern', 'PathPatternConfig', pathRegex, 'RegexValues'),
    ...patterns('http-request-method', 'HttpRequestMethodConfig', method),
    ...Object.entries(partOf(headers)).map(([HttpHeaderName, values]) => ({
      Field: 'http-header',
      HttpHeaderConfig: { HttpHeaderName, Values: listOf(values) },
    })),
    ...Object.entries(partOf(headersRegex)).map(([HttpHeaderName, values]) => ({
      Field: 'http-header',
      HttpHeaderConfig: { HttpHeaderName, RegexValues: listOf(values) },
    })),
    ...(query === undefined
      ? []
      : [
          {
            Field: 'query-string',
            QueryStringConfig: {
              Values: listOf(query).map(each =>
                defined({ Key: partOf(each).key, Value: partOf(each).value }),
              ),
            },
          },
        ]),
    ...patterns('source-ip', 'SourceIpConfig', source),
  ]
}
