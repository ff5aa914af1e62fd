import type { UserFilter } from '../../../store/user-pool-store.ts'
import { invalidParameter } from '../../../users/attributes.ts'

/** A filter: a name, which may be in quotes, an operator, and a value in quotes. */
const form = /^\s*("?)([\w:.]+)\1\s*(\^?=)\s*"((?:[^"\\]|\\.)*)"\s*$/

const names: { readonly [name: string]: string } = { 'cognito:user_status': 'status' }

/** The attributes that filters can search. */
const searchable: readonly string[] = [
  'username',
  'sub',
  'email',
  'phone_number',
  'name',
  'given_name',
  'family_name',
  'preferred_username',
  'cognito:user_status',
  'status',
]

/**
 * Parses an account filter, such as `email ^= "ann"`. Returns undefined without a filter.
 * @throws UserPoolError for an invalid filter
 */
export function filterOf(text: string | undefined): UserFilter | undefined {
  if (text === undefined || text.trim() === '') return undefined
  const [whole, , name = '', operator, quoted = ''] = form.exec(text) ?? []
  if (whole === undefined) throw invalidParameter('Error while parsing filter')
  if (!searchable.includes(name)) throw invalidParameter(`Invalid search attribute: ${name}`)
  const value = quoted.replaceAll(/\\(.)/g, '$1')
  if (name === 'status') return enabledFilter(value.toLowerCase(), operator === '^=')
  // Cognito compares this value without regard to case, and stores it in upper case.
  const compared = name === 'cognito:user_status' ? value.toUpperCase() : value
  return { name: names[name] ?? name, value: compared, isPrefix: operator === '^=' }
}

/** Returns a filter by `status`, which selects enabled or disabled accounts. */
function enabledFilter(value: string, isPrefix: boolean): UserFilter | undefined {
  const meant = ['enabled', 'disabled'].filter(each => (isPrefix ? each.startsWith(value) : each === value))
  if (meant.length > 1) return undefined
  const wanted = meant.length === 0 ? '' : String(meant[0] === 'enabled')
  return { name: 'enabled', value: wanted, isPrefix: false }
}
