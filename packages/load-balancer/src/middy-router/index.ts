export { fromMiddyRoutes, type MiddyRoute, type MiddyRouteEvent } from './from-middy-routes.ts'
export { type HostedResponse, type HostedRoute, middyRoutes } from './middy-routes.ts'
