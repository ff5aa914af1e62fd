import type { Field } from '../page.ts'

/** The form field for a code that was sent or that an authenticator displays. */
export const codeField: Field = {
  name: 'code',
  label: 'Code',
  autocomplete: 'one-time-code',
  isNumeric: true,
}
