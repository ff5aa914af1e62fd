/** Events for which `claims()….for(event)` has made an answer. They reveal a route that forgets to return it. */
export const answeredEvents = new WeakSet<object>()
