/**
 * Hides secrets in anything that is written down: log lines of functions, and what the platform keeps of an invocation.
 * See docs/decisions/invocation-log.md#what-counts-as-a-secret.
 */
export { errorCodes } from './error-codes.ts'
export { encoded, type Findings, mark, noFindings, spellings } from './findings.ts'
export { type Masked, maskAny, maskEvent, maskJson, maskText } from './mask.ts'
export { maskRepeatsInJson } from './mask-json.ts'
export { repeatsOf } from './mask-repeats.ts'
export { isSecretName } from './secret-name.ts'
