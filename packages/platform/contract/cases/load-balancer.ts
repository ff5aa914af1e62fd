import type { ContractCase } from '../contract-case.ts'
export function loadBalancerCases(): readonly ContractCase[] {
  return []
}
