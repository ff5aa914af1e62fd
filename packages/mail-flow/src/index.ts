export { mailFlowFamily } from './family.ts'
