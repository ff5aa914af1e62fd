export { codecOf, failure, success } from '../io-ts/codec-of.ts'
export { confidentially } from '../structure/confidential.ts'
export { byTag } from './by-tag.ts'
export {
  type Described,
  type Encoded,
  extension,
  type Field,
  type Fields,
  type Holds,
  type OptionalNames,
  omittable,
  optional,
  type RequiredNames,
  required,
} from './field.ts'
export { array, list } from './list.ts'
export { map } from './map.ts'
export { type ObjectCodec, object } from './object.ts'
export { anything, boolean, number, oneOf, string } from './values.ts'
export { where } from './where.ts'
