import type { SignInName } from '../../config/user-pool-config.ts'
import type { PoolSettings } from '../../config/user-pool-settings.ts'
import type { Field } from '../page.ts'

const labels: { readonly [name in SignInName]: string } = {
  name: 'user name',
  email: 'e-mail address',
  phone: 'phone number',
  preferred_username: 'preferred user name',
}

/** Returns the field for the name that users sign in with. */
export function userNameField({ signIn }: PoolSettings, value?: string): Field {
  const [first = 'name'] = signIn
  const label = signIn.map(each => labels[each]).join(' or ')
  const type = signIn.length > 1 ? 'text' : first === 'email' ? 'email' : first === 'phone' ? 'tel' : 'text'
  return {
    name: 'username',
    label: `${label[0]!.toUpperCase()}${label.slice(1)}`,
    type,
    autocomplete: 'username',
    value,
  }
}
