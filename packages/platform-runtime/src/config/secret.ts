import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { isObject, type Problem } from '@signalbox/codec'
import { matching } from './field.ts'

/**
 * A secret: a string, or the environment variable or file that contains it. A path is relative to the configuration
 * file.
 */
export type SecretConfig = string | { readonly env: string } | { readonly file: string }

export const secretText = matching<SecretConfig>(
  'a text, { env: NAME } or { file: PATH }',
  value =>
    isText(value) || (isObject(value) && Object.keys(value).length === 1 && isText(value.env ?? value.file)),
)

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}

/** Returns the reasons why a secret cannot be read. The list is empty when the secret can be read. */
export function secretProblems(
  secret: SecretConfig,
  pointer: string,
  root: string,
  environment: { readonly [name: string]: string | undefined } = process.env,
): readonly Problem[] {
  if (typeof secret === 'string') return []
  if ('env' in secret)
    return environment[secret.env]
      ? []
      : [{ pointer, expected: `a value in the environment variable ${secret.env}`, actual: 'nothing there' }]
  const path = resolve(root, secret.file)
  const file = statSync(path, { throwIfNoEntry: false })
  if (!file?.isFile()) return [{ pointer, expected: 'a file', actual: `${secret.file}, where there is none` }]
  if ((file.mode & 0o077) !== 0)
    return [{ pointer, expected: 'a file that only its owner can read (mode 600)', actual: secret.file }]
  if (readFileSync(path, 'utf8').trim() === '')
    return [{ pointer, expected: 'a file with a secret', actual: `${secret.file}, which is empty` }]
  return []
}

/**
 * Reads a secret from the configuration, the environment or a file.
 * @param secret a secret without problems
 */
export function readSecret(
  secret: SecretConfig,
  root: string,
  environment: { readonly [name: string]: string | undefined } = process.env,
): string {
  if (typeof secret === 'string') return secret
  return 'env' in secret ? environment[secret.env]! : readFileSync(resolve(root, secret.file), 'utf8').trim()
}
