import {
  type ConfigOf,
  days,
  integerFrom,
  matching,
  nonEmptyText,
  optional,
  required,
  textLike,
} from '@signalbox/platform-runtime/config'
import * as t from 'io-ts'
import { isDocumentPattern } from './document-pattern.ts'
import { isMapOf } from './rules.ts'

export const resourceServerFields = {
  /**
   * The identifier, which begins the names of the scopes. Default: the name in the configuration. If it is a URL, such as
   * `https://orders.example/api`, clients can name it as `resource`, and it is the audience of their access tokens.
   */
  identifier: optional(textLike('up to 256 characters without spaces', /^[\x21\x23-\x5b\x5d-\x7e]{1,256}$/)),
  /** The name that administrators see. Default: the identifier. */
  name: optional(nonEmptyText),
  /** The descriptions of the scopes by name. Clients request a scope as `identifier/name`. */
  scopes: required(
    matching<{ readonly [name: string]: string }>(
      'descriptions by the names of scopes, which have neither spaces nor /',
      value =>
        isMapOf(value, (name, text) => /^[!#-.0-[\]-~]{1,256}$/.test(name) && typeof text === 'string'),
    ),
  ),
}

/** A program that accepts access tokens, and the scopes that it defines. */
export interface ResourceServerConfig extends ConfigOf<typeof resourceServerFields> {}

export const documentPolicyFields = {
  /**
   * The accepted URLs, such as `https://agent.example/client.json`. At the beginning of a host, `*.` stands for one or more
   * labels. In a path, `*` stands for any characters. `https://*` accepts every URL by https.
   */
  patterns: required(
    matching<readonly string[]>(
      'a list of URLs by https, in which * can begin the host or be in the path',
      value => Array.isArray(value) && value.length > 0 && value.every(isDocumentPattern),
    ),
  ),
  /**
   * The client of the pool whose settings these programs get, such as scopes and the lives of tokens. It must have no
   * secret. Redirect URIs and the name come from the document.
   */
  client: required(nonEmptyText),
  /** After how many days a document is fetched again. Default 1. */
  cacheDays: optional(days(1, 365.2425), 1),
}

/** Which URLs of client documents a pool accepts, and the client whose settings they get. */
export interface DocumentPolicyConfig extends ConfigOf<typeof documentPolicyFields> {}

export const registrationFields = {
  /**
   * Whether programs can register without an access token. Otherwise, they need one with the scope
   * `aws.cognito/dcr/register`. Default false.
   */
  open: optional(t.boolean, false),
  /** The scopes that registered clients can ask for, besides those of OpenID Connect. Default: none. */
  scopes: optional(t.readonlyArray(nonEmptyText, 'a list of scopes'), []),
  /**
   * How many registered clients the pool keeps. A registration that no user signs in with ends after a day, and in a full
   * pool after ten minutes. Default 1000.
   */
  most: optional(integerFrom(1, 10_000), 1000),
  /** How many programs can register in an hour. Default 200. */
  perHour: optional(integerFrom(1, 10_000), 200),
  /** How many programs at one network address can register in an hour. Default 20. */
  perAddress: optional(integerFrom(1, 10_000), 20),
}

/** How programs can register themselves as clients. */
export interface RegistrationConfig extends ConfigOf<typeof registrationFields> {}
