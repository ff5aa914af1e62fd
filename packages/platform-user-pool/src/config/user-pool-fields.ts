import {
  type Fields,
  hostNames,
  integerFrom,
  listenerLimits,
  matching,
  nonEmptyText,
  numberFrom,
  object,
  optional,
  port,
  required,
  secretText,
} from '@signalbox/platform-runtime/config'
import * as t from 'io-ts'
import { isProviderIssuer, isRedirectAddress } from './redirect-address.ts'
import { senderForm } from './sender.ts'
import type {
  AdminKeyConfig,
  ClientConfig,
  GroupConfig,
  IdentityProviderConfig,
  MfaConfig,
  PasskeyConfig,
  PasswordConfig,
  RefreshConfig,
  ResourceServerConfig,
  TriggerFunctionConfig,
  TriggerListConfig,
  UserPoolConfig,
  UserPoolLimitsConfig,
  UserPoolListenerConfig,
} from './user-pool-config.ts'

/** Returns a codec for lists of these names without duplicates. Its problems name the entries that are wrong. */
function someOf(...names: readonly string[]): t.Mixed {
  const name = `a list with some of ${names.join(', ')}`
  const entries = t.readonlyArray(oneOf(...names))
  const isSet = (value: unknown): value is readonly unknown[] =>
    Array.isArray(value) && value.length > 0 && new Set(value).size === value.length
  return new t.Type<readonly string[], readonly string[], unknown>(
    name,
    (value): value is readonly string[] => isSet(value) && entries.is(value),
    (value, context) => (isSet(value) ? entries.validate(value, context) : t.failure(value, context)),
    t.identity,
  )
}

/** Returns a codec that accepts one of these names. */
function oneOf(...names: readonly string[]): t.Mixed {
  return matching<string>(`one of ${names.join(', ')}`, value => names.includes(value as string))
}

const addresses = t.readonlyArray(
  matching<string>(
    'an address by https, by http on localhost, or by the scheme of an app, without a fragment',
    value => typeof value === 'string' && isRedirectAddress(value),
  ),
  'a list of addresses',
)

const match = (what: string, pattern: RegExp): t.Mixed =>
  matching<string>(what, value => typeof value === 'string' && pattern.test(value))

/** A label of a host name, which is the domain of a pool. */
export const domainForm = /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/

export const userPoolFields: Fields<UserPoolConfig> = {
  id: optional(
    match(
      'a region, _, and letters and digits, such as eu-central-1_Staff01',
      /^[a-z]{2}(-[a-z]+)+-\d_[0-9A-Za-z]{1,55}$/,
    ),
  ),
  triggers: optional(object),
  signIn: optional(someOf('name', 'email', 'phone', 'preferred_username')),
  required: optional(t.readonlyArray(nonEmptyText, 'a list of attributes')),
  custom: optional(
    matching<object>(
      'names of 1 to 20 letters, digits, - and _, each with string, number or boolean',
      value =>
        typeof value === 'object' &&
        value !== null &&
        Object.entries(value).every(
          ([name, type]) => /^[\w-]{1,20}$/.test(name) && ['string', 'number', 'boolean'].includes(type),
        ),
    ),
  ),
  verify: optional(someOf('email', 'phone')),
  from: optional(match('an address such as staff@example.com or Staff <staff@example.com>', senderForm)),
  immutable: optional(t.readonlyArray(nonEmptyText, 'a list of attributes')),
  signUp: optional(t.boolean),
  limits: optional(object),
  recovery: optional(
    matching<readonly string[]>(
      'a list of email and phone, which may be empty',
      value =>
        Array.isArray(value) &&
        value.every(each => each === 'email' || each === 'phone') &&
        new Set(value).size === value.length,
    ),
  ),
  password: optional(object),
  mfa: optional(object),
  devices: optional(oneOf('off', 'opt-in', 'always')),
  firstFactors: optional(someOf('password', 'email', 'sms', 'passkey')),
  passkeys: optional(object),
  groups: optional(object),
  clients: required(object),
  domain: optional(match('lower-case letters, digits and -, 63 at most', domainForm)),
  resourceServers: optional(object),
  identityProviders: optional(object),
}

export const passwordFields: Fields<PasswordConfig> = {
  min: optional(integerFrom(6, 99)),
  lower: optional(t.boolean),
  upper: optional(t.boolean),
  digits: optional(t.boolean),
  symbols: optional(t.boolean),
  temporaryDays: optional(numberFrom(0.001, 365, 'days')),
}

export const limitFields: Fields<UserPoolLimitsConfig> = {
  signUps: optional(integerFrom(1, 1_000_000)),
  signUpsPerAddress: optional(integerFrom(1, 1_000_000)),
  messages: optional(integerFrom(1, 1_000_000)),
}

export const mfaFields: Fields<MfaConfig> = {
  mode: optional(oneOf('off', 'optional', 'required')),
  by: optional(someOf('totp', 'sms', 'email')),
}

export const passkeyFields: Fields<PasskeyConfig> = {
  relyingParty: optional(
    match('a domain such as example.com', /^(?=.{1,127}$)[a-z\d-]+(\.[a-z\d-]*[a-z-][a-z\d-]*)*$/),
  ),
  userVerification: optional(oneOf('preferred', 'required')),
  bothFactors: optional(t.boolean),
}

export const groupFields: Fields<GroupConfig> = {
  description: optional(t.string),
  precedence: optional(integerFrom(0, 2 ** 31 - 1)),
  role: optional(nonEmptyText),
}

export const clientFields: Fields<ClientConfig> = {
  id: optional(match('letters, digits, _ and +, 128 at most', /^[\w+]{1,128}$/)),
  flows: optional(someOf('srp', 'password', 'custom', 'choice', 'admin', 'refresh')),
  secret: optional(
    matching<boolean | string>(
      'true, false, or a text of 24 to 64 letters, digits, _ and +',
      value => typeof value === 'boolean' || (typeof value === 'string' && /^[\w+]{24,64}$/.test(value)),
    ),
  ),
  hideUsers: optional(t.boolean),
  read: optional(t.readonlyArray(nonEmptyText, 'a list of attributes')),
  write: optional(t.readonlyArray(nonEmptyText, 'a list of attributes')),
  refresh: optional(object),
  accessMinutes: optional(numberFrom(5, 1440, 'minutes')),
  idMinutes: optional(numberFrom(5, 1440, 'minutes')),
  sessionMinutes: optional(numberFrom(3, 15, 'minutes')),
  callbacks: optional(addresses),
  logouts: optional(addresses),
  grants: optional(someOf('code', 'client_credentials')),
  scopes: optional(t.readonlyArray(nonEmptyText, 'a list of scopes')),
  providers: optional(t.readonlyArray(nonEmptyText, 'a list of identity providers')),
}

export const resourceServerFields: Fields<ResourceServerConfig> = {
  name: optional(nonEmptyText),
  scopes: required(
    matching<object>(
      'descriptions by the names of scopes, which have neither spaces nor /',
      value =>
        typeof value === 'object' &&
        value !== null &&
        Object.entries(value).every(
          ([name, text]) => /^[!#-.0-[\]-~]{1,256}$/.test(name) && typeof text === 'string',
        ),
    ),
  ),
}

export const identityProviderFields: Fields<IdentityProviderConfig> = {
  issuer: required(
    matching<string>(
      'an https URL, or one of http on this machine',
      value => typeof value === 'string' && isProviderIssuer(value),
    ),
  ),
  clientId: required(nonEmptyText),
  clientSecret: optional(secretText),
  scopes: optional(t.readonlyArray(nonEmptyText, 'a list of scopes')),
  attributes: optional(
    matching<object>(
      'names of claims by names of attributes',
      value =>
        typeof value === 'object' &&
        value !== null &&
        Object.values(value).every(claim => typeof claim === 'string' && claim !== ''),
    ),
  ),
  identifiers: optional(t.readonlyArray(nonEmptyText, 'a list of names')),
}

export const refreshFields: Fields<RefreshConfig> = {
  days: optional(numberFrom(1 / 24, 3650, 'days')),
  rotate: optional(t.boolean),
  grace: optional(integerFrom(0, 60, 'seconds')),
}

export const triggerFunctionFields: Fields<TriggerFunctionConfig> = {
  function: required(t.string),
  version: optional(matching<number>('1, 2 or 3', value => value === 1 || value === 2 || value === 3)),
}

export const triggerListFields: Fields<TriggerListConfig> = {
  ...triggerFunctionFields,
  routes: required(t.readonlyArray(t.string, 'a list of triggers and trigger sources')),
}

export const listenerFields: Fields<UserPoolListenerConfig> = {
  port: optional(port),
  host: optional(nonEmptyText),
  open: optional(t.boolean),
  names: optional(hostNames),
  limits: optional(listenerLimits),
  tls: optional(object),
  admin: optional(object),
  privateProviderHosts: optional(
    t.readonlyArray(
      match(
        'a host in lower case, with or without a port, such as login.internal or 127.0.0.1:8080',
        /^(?:\[[\da-f:.]+\]|[a-z\d](?:[a-z\d.-]*[a-z\d])?)(?::\d{1,5})?$/,
      ),
      'a list of hosts',
    ),
  ),
  issuer: optional(match('an http or https URL without a / at its end', /^https?:\/\/[^\s?#]+[^\s?#/]$/)),
}

export const adminKeyFields: Fields<AdminKeyConfig> = {
  accessKeyId: required(match('letters and digits, 16 to 128', /^\w{16,128}$/)),
  secretAccessKey: required(secretText),
}
