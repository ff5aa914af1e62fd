import {
  type ConfigOf,
  matching,
  optional,
  required,
  secretText,
  textLike,
} from '@signalbox/platform-runtime/config'
import { isProviderIssuer } from './redirect-address.ts'

export const migrationFields = {
  /** The id of the pool, such as `eu-central-1_Ab12Cd34E`. */
  pool: required(
    textLike(
      'a region, _, and letters and digits, such as eu-central-1_Ab12Cd34E',
      /^[a-z]{2}(-[a-z]+)+-\d_[0-9A-Za-z]{1,55}$/,
    ),
  ),
  /** The region that is asked. Default: the one in the id of the pool. */
  region: optional(textLike('a region such as eu-central-1', /^[a-z]{2}(-[a-z]+)+-\d$/)),
  /**
   * The id of a client of that pool. It needs the flow `ALLOW_USER_PASSWORD_AUTH`, and the right to read the attributes
   * that users bring.
   */
  client: required(textLike('the id of a client, of letters, digits, _ and +', /^[\w+]{1,128}$/)),
  /** The secret of that client, or the environment variable or file that contains it. Default: it has none. */
  clientSecret: optional(secretText),
  /** The address of the service, if it is not Amazon Cognito. Default: that of Cognito in the region. */
  endpoint: optional(
    matching<string>(
      'an https URL, or one of http on this machine',
      value => typeof value === 'string' && isProviderIssuer(value),
    ),
  ),
}

/** The pool at a service like Amazon Cognito that users come from with their passwords. */
export interface MigrationConfig extends ConfigOf<typeof migrationFields> {}

/** The pool that users come from, with defaults filled in. */
export interface MigrationSettings {
  readonly pool: string
  readonly client: string
  readonly clientSecret: string | undefined
  readonly endpoint: string
}

/** Fills in the defaults. */
export function migrationSettings(
  config: Omit<MigrationConfig, 'clientSecret'>,
  clientSecret: string | undefined,
): MigrationSettings {
  const { pool, client, region = pool.slice(0, pool.indexOf('_')) } = config
  const domain = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com'
  const { endpoint = `https://cognito-idp.${region}.${domain}/` } = config
  return { pool, client, clientSecret, endpoint }
}
