export { queueFamily } from './family.ts'
