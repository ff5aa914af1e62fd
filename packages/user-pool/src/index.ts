export { userPoolFamily } from './family.ts'
