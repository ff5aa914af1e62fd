export { findingsIn } from './find.ts'
export type { Finding, RuleName } from './finding.ts'
export type { Node } from './syntax.ts'
