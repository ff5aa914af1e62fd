"""A function that does what its events say, and what a function must not do."""

import http.client
import os
import subprocess
import sys
import time

API = os.environ['AWS_LAMBDA_RUNTIME_API']


def call(method, path, body=None):
    api = http.client.HTTPConnection(API)
    api.request(method, '/2018-06-01/runtime/' + path, body)
    response = api.getresponse()
    response.read()
    api.close()
    return response.status


def handler(event, context):
    own = f'invocation/{context.aws_request_id}/response'
    fault = event['do']
    if fault == 'throw':
        raise ValueError(event['why'])
    if fault == 'exit':
        os._exit(3)
    if fault == 'never':
        time.sleep(1000)
    if fault == 'late':
        time.sleep(event['seconds'])
    if fault == 'twice':
        call('POST', own, '"first"')
        return 'second'
    if fault == 'other':
        return call('POST', 'invocation/another-request/response', '"wrong"')
    if fault == 'garbage':
        return call('POST', own, b'"\xff\xfe"')
    if fault == 'long':
        return 'x' * 7_000_000
    if fault == 'children':
        # The second one leaves the session of its parent.
        return [subprocess.Popen(['sleep', '1000'], start_new_session=leaves).pid for leaves in (False, True)]
    if fault == 'connections':
        open_ones = [http.client.HTTPConnection(API) for _ in range(100)]
        for each in open_ones:
            each.request('GET', '/2018-06-01/runtime/invocation/next')
        return [each.getresponse().status for each in open_ones]
    return event


if os.environ.get('EXIT_AT_START'):
    sys.exit(7)
