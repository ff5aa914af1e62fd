import type { ContractCase } from '../contract-case.ts'
export function mailFlowCases(): readonly ContractCase[] {
  return []
}
