export {
  type ProtectedResource,
  type ProtectedResourceOptions,
  protectedResource,
} from './protected-resource.ts'
