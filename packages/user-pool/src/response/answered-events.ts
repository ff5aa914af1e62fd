/** Events for which `claims()….for(event)` has made an answer, so that a route that forgets to return it is found. */
export const answeredEvents = new WeakSet<object>()
