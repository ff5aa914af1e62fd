import type { Location } from '@signalbox/platform-runtime'
import {
  type ConfigOf,
  readSecret,
  readTlsFiles,
  type TlsConfig,
  type TlsFiles,
  type ValuesOf,
  valuesOf,
} from '@signalbox/platform-runtime/config'
import { healthCheckFields, type LoadBalancerConfig, loadBalancerFields } from './load-balancer-config.ts'
import {
  type actionFields,
  executionFields,
  redirectFields,
  responseFields,
  ruleFields,
} from './rule-config.ts'
import { authenticateFields, tokenClaimFields, validateJwtFields } from './sign-in-config.ts'

/** A function that answers requests. */
export interface Target {
  readonly functionName: string
  readonly multiValue: boolean
  readonly targetGroupArn: string
  /** How requests start executions. Undefined for a function that answers the requests. */
  readonly execution?: ExecutionSettings | undefined
}

/** How requests start executions of a function, and where clients see how they go. */
export interface ExecutionSettings extends ValuesOf<typeof executionFields> {}

/** How users sign in before a request goes on. Times are in milliseconds. */
export interface AuthenticateSettings extends Omit<ValuesOf<typeof authenticateFields>, 'clientSecret'> {
  readonly clientSecret: string | undefined
}

/** The tokens that requests have to have. */
export interface ValidateJwtSettings extends Omit<ValuesOf<typeof validateJwtFields>, 'claims'> {
  readonly claims: readonly ValuesOf<typeof tokenClaimFields>[]
}

/** What a load balancer does with a request. */
export type Action = {
  readonly authenticate?: AuthenticateSettings | undefined
  readonly validateJwt?: ValidateJwtSettings | undefined
} & (
  | {
      readonly kind: 'forward'
      readonly targets: readonly (Target & { readonly weight: number })[]
      /** For how long a client stays with its function. Undefined: each request is shared anew. */
      readonly sticky: number | undefined
    }
  | ({ readonly kind: 'respond' } & ValuesOf<typeof responseFields>)
  | ({ readonly kind: 'redirect' } & ValuesOf<typeof redirectFields>)
)

export interface RuleSettings extends Omit<ValuesOf<typeof ruleFields>, keyof typeof actionFields> {
  readonly action: Action
}

/** The settings of a load balancer, with defaults filled in. Times are in milliseconds. */
export interface LoadBalancerSettings
  extends Omit<
    ValuesOf<typeof loadBalancerFields>,
    keyof typeof actionFields | 'rules' | 'listeners' | 'tls'
  > {
  readonly name: string
  /** The signer of the claims about users, as functions check it. */
  readonly arn: string
  /** At least one certificate. Undefined for plain http. */
  readonly tls: readonly TlsFiles[] | undefined
  /** What is done with requests that meet no rule. */
  readonly action: Action
  readonly rules: readonly RuleSettings[]
  /** The functions that requests can reach, each once. */
  readonly functionNames: readonly string[]
  readonly healthCheck: HealthCheckSettings | undefined
}

export interface HealthCheckSettings extends ValuesOf<typeof healthCheckFields> {}

/** Returns the `tls` setting as a list, even if it names only one certificate. */
export function tlsList(tls: TlsConfig | readonly TlsConfig[]): readonly TlsConfig[] {
  return 'cert' in tls ? [tls] : tls
}

/**
 * Fills in the defaults of a load balancer.
 * @param name the name of the listener
 * @param config a valid configuration
 * @param balancer the name of the load balancer, which is in ARNs
 */
export function loadBalancerSettings(
  name: string,
  config: LoadBalancerConfig,
  { region, account }: Location,
  root: string,
  balancer: string,
): LoadBalancerSettings {
  const groupArn = (group: string) => `arn:cloud:balancer:${region}:${account}:targetgroup/${group}/1`
  const { rules = [], listeners: _, ...values } = withoutAction(valuesOf(loadBalancerFields, config))
  const action = { ...actionOf(config, balancer, groupArn), ...checksOf(config, root) }
  const settings = rules.map((rule): RuleSettings => {
    const conditions = withoutAction(valuesOf(ruleFields, rule))
    return { ...conditions, action: { ...actionOf(rule, balancer, groupArn), ...checksOf(rule, root) } }
  })
  const all = [action, ...settings.map(each => each.action)]
  return {
    ...values,
    name,
    arn: values.arn ?? `arn:cloud:balancer:${region}:${account}:loadbalancer/${balancer}/1`,
    action,
    rules: settings,
    functionNames: [
      ...new Set(
        all.flatMap(each => (each.kind === 'forward' ? each.targets.map(target => target.functionName) : [])),
      ),
    ],
    tls: config.tls && tlsList(config.tls).map(files => readTlsFiles(files, root)),
    healthCheck: config.healthCheck && valuesOf(healthCheckFields, config.healthCheck),
  }
}

function withoutAction<T extends ValuesOf<typeof actionFields>>(
  values: T,
): Omit<T, keyof typeof actionFields> {
  const {
    function: _,
    multiValueHeaders,
    targetGroupArn,
    forward,
    respond,
    redirect,
    authenticate,
    validateJwt,
    sticky,
    execution,
    ...rest
  } = values
  return rest
}

/** Returns what an action checks before a request goes on. */
function checksOf(
  { authenticate, validateJwt }: ConfigOf<typeof actionFields>,
  root: string,
): Pick<Action, 'authenticate' | 'validateJwt'> {
  return {
    authenticate: authenticate && {
      ...valuesOf(authenticateFields, authenticate),
      clientSecret:
        authenticate.clientSecret === undefined ? undefined : readSecret(authenticate.clientSecret, root),
    },
    validateJwt: validateJwt && {
      ...valuesOf(validateJwtFields, validateJwt),
      claims: (validateJwt.claims ?? []).map(claim => valuesOf(tokenClaimFields, claim)),
    },
  }
}

/**
 * Returns what an object with the fields of an action says.
 * @param groupArn returns the ARN of a target group without one
 */
function actionOf(
  {
    function: functionName,
    multiValueHeaders = false,
    targetGroupArn,
    execution,
    forward,
    sticky,
    respond,
    redirect,
  }: ConfigOf<typeof actionFields>,
  balancer: string,
  groupArn: (group: string) => string,
): Action {
  if (respond !== undefined) return { kind: 'respond', ...valuesOf(responseFields, respond) }
  if (redirect !== undefined) return { kind: 'redirect', ...valuesOf(redirectFields, redirect) }
  if (forward !== undefined)
    return {
      kind: 'forward',
      targets: forward.map(each => ({
        functionName: each.function,
        multiValue: each.multiValueHeaders ?? false,
        targetGroupArn: each.targetGroupArn ?? groupArn(`${balancer}-${each.function}`),
        weight: each.weight ?? 1,
      })),
      sticky: sticky === undefined ? undefined : sticky * 1000,
    }
  return {
    kind: 'forward',
    targets: [
      {
        functionName: functionName!,
        multiValue: multiValueHeaders,
        targetGroupArn: targetGroupArn ?? groupArn(balancer),
        execution: execution && valuesOf(executionFields, execution),
        weight: 1,
      },
    ],
    sticky: undefined,
  }
}
