import { isObject, pointerTo } from '@signalbox/codec'
import type { Place } from '../document/template-error.ts'
import type { Part } from './config.ts'

/** The properties from which options have their values, by the part of the configuration. */
const properties: { readonly [part: string]: { readonly [option: string]: Place } } = {
  functions: {
    module: ['Handler'],
    export: ['Handler'],
    cwd: ['Code'],
    timeout: ['Timeout'],
    memory: ['MemorySize'],
    instances: ['ReservedConcurrentExecutions'],
    tenancy: ['TenancyConfig'],
    env: ['Environment', 'Variables'],
  },
  queues: {
    visibilityTimeout: ['VisibilityTimeout'],
    delay: ['DelaySeconds'],
    retentionPeriod: ['MessageRetentionPeriod'],
    contentBasedDeduplication: ['ContentBasedDeduplication'],
    deadLetter: ['RedrivePolicy'],
  },
  mappings: {
    function: ['FunctionName'],
    batchSize: ['BatchSize'],
    batchWindow: ['MaximumBatchingWindowInSeconds'],
    maximumConcurrency: ['ScalingConfig', 'MaximumConcurrency'],
    reportBatchItemFailures: ['FunctionResponseTypes'],
    filter: ['FilterCriteria', 'Filters'],
  },
  eventSettings: {
    maximumRetryAttempts: ['MaximumRetryAttempts'],
    maximumEventAge: ['MaximumEventAgeInSeconds'],
    onFailure: ['DestinationConfig', 'OnFailure', 'Destination'],
  },
  mailRules: {
    function: ['Rule', 'Actions'],
    mode: ['Rule', 'Actions'],
    recipients: ['Rule', 'Recipients'],
  },
  userPools: {
    signIn: ['UsernameAttributes'],
    required: ['Schema'],
    immutable: ['Schema'],
    custom: ['Schema'],
    verify: ['AutoVerifiedAttributes'],
    from: ['EmailConfiguration', 'From'],
    signUp: ['AdminCreateUserConfig', 'AllowAdminCreateUserOnly'],
    password: ['Policies', 'PasswordPolicy'],
    mfa: ['MfaConfiguration'],
    devices: ['DeviceConfiguration'],
    firstFactors: ['Policies', 'SignInPolicy', 'AllowedFirstAuthFactors'],
    recovery: ['AccountRecoverySetting', 'RecoveryMechanisms'],
    passkeys: ['WebAuthnRelyingPartyID'],
    triggers: ['LambdaConfig'],
  },
  clients: {
    flows: ['ExplicitAuthFlows'],
    secret: ['GenerateSecret'],
    read: ['ReadAttributes'],
    write: ['WriteAttributes'],
    refresh: ['RefreshTokenValidity'],
    accessMinutes: ['AccessTokenValidity'],
    idMinutes: ['IdTokenValidity'],
    sessionMinutes: ['AuthSessionValidity'],
    callbacks: ['CallbackURLs'],
    logouts: ['LogoutURLs'],
    grants: ['AllowedOAuthFlows'],
    scopes: ['AllowedOAuthScopes'],
    providers: ['SupportedIdentityProviders'],
  },
  loadBalancers: {
    port: ['Port'],
    function: ['DefaultActions'],
    forward: ['DefaultActions'],
    respond: ['DefaultActions'],
    redirect: ['DefaultActions'],
  },
  rules: {
    path: ['Conditions'],
    pathRegex: ['Conditions'],
    host: ['Conditions'],
    hostRegex: ['Conditions'],
    headersRegex: ['Conditions'],
    method: ['Conditions'],
    source: ['Conditions'],
    headers: ['Conditions'],
    query: ['Conditions'],
    function: ['Actions'],
    forward: ['Actions'],
    respond: ['Actions'],
    redirect: ['Actions'],
  },
}

/** Collects where a template says what is in the configuration. */
export interface OptionPlaces {
  /**
   * Notes that options have their values from the properties at a place.
   * @param kind what the options are those of, such as `queues` or `mappings`
   */
  readonly add: (kind: string, option: Place, properties: Place) => void
  /** Notes the same for options that stand among others, such as those of a mapping in a queue. */
  readonly addAmong: (kind: string, options: Place, properties: Place) => void
  /** Returns the place of an option in the template, or undefined for one that is not from it. */
  readonly of: (pointer: string) => Place | undefined
}

/** @param beside the configuration beside the template, whose options are not from it */
export function optionPlaces(beside: Part): OptionPlaces {
  const found = new Map<string, { readonly kind: string; readonly properties: Place }>()
  return {
    add: (kind, option, place) => void found.set(pointerTo(...option), { kind, properties: place }),
    addAmong(kind, options, place) {
      for (const [name, property] of Object.entries(properties[kind] ?? {}))
        found.set(pointerTo(...options, name), { kind: '', properties: [...place, ...property] })
    },
    of(pointer) {
      const steps = stepsOf(pointer)
      if (isGiven(beside, steps)) return undefined
      for (let length = steps.length; length > 0; length--) {
        const known = found.get(pointerTo(...steps.slice(0, length)))
        if (known === undefined) continue
        const table = properties[known.kind] ?? {}
        const option = steps[length]
        const own = option !== undefined && Object.hasOwn(table, option) ? table[option]! : []
        return [...known.properties, ...own]
      }
      return undefined
    },
  }
}

function stepsOf(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map(step => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function isGiven(value: unknown, steps: readonly string[]): boolean {
  let found = value
  for (const step of steps) {
    if (!(isObject(found) || Array.isArray(found)) || !Object.hasOwn(found, step)) return false
    found = (found as Part)[step]
  }
  return true
}
