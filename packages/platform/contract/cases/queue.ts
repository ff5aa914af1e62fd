import type { ContractCase } from '../contract-case.ts'
export function queueCases(): readonly ContractCase[] {
  return []
}
