"""
Runs a Python function under the runtime interface of AWS Lambda:

    _HANDLER=shop.handler python3 runtime.py

calls handler(event, context) of shop.py. It needs Python 3.8, and no packages. With AWS_LAMBDA_MAX_CONCURRENCY, so many
threads work on one event each.
"""

import http.client
import importlib
import json
import os
import sys
import threading
import time
import traceback

RUNTIME = '/2018-06-01/runtime/'


class Context:
    """What a function may know about its event, under the names of AWS Lambda."""

    def __init__(self, headers):
        self.aws_request_id = headers['Lambda-Runtime-Aws-Request-Id']
        self.invoked_function_arn = headers['Lambda-Runtime-Invoked-Function-Arn']
        self.tenant_id = headers['Lambda-Runtime-Aws-Tenant-Id']
        self.client_context = json.loads(headers['Lambda-Runtime-Client-Context'] or 'null')
        self.function_name = os.environ['AWS_LAMBDA_FUNCTION_NAME']
        self.memory_limit_in_mb = os.environ['AWS_LAMBDA_FUNCTION_MEMORY_SIZE']
        self.deadline = int(headers['Lambda-Runtime-Deadline-Ms'])

    def get_remaining_time_in_millis(self):
        return max(0, self.deadline - int(time.time() * 1000))


def described(error):
    """Logs an error with its stack, and returns it as JSON."""
    # The first frame is the one of this file.
    own = error.__traceback__.tb_next
    traceback.print_exception(type(error), error, own)
    stack = traceback.format_tb(own)
    return json.dumps({'errorType': type(error).__name__, 'errorMessage': str(error), 'stackTrace': stack})


def work(handler):
    """Gets events and answers them, one after another, over one connection."""
    api = http.client.HTTPConnection(os.environ['AWS_LAMBDA_RUNTIME_API'])
    while True:
        api.request('GET', RUNTIME + 'invocation/next')
        invocation = api.getresponse()
        event, headers = invocation.read(), invocation.headers
        if invocation.status != 200:
            raise RuntimeError(event.decode())
        context = Context(headers)
        try:
            kind, answer = 'response', json.dumps(handler(json.loads(event), context), allow_nan=False)
        except Exception as error:
            kind, answer = 'error', described(error)
        echoed = {name: headers[name] for name in ['Lambda-Runtime-Invocation-Id'] if name in headers}
        api.request('POST', f'{RUNTIME}invocation/{context.aws_request_id}/{kind}', answer, echoed)
        api.getresponse().read()


def work_in_thread(handler):
    try:
        work(handler)
    except BaseException:
        traceback.print_exc()
    os._exit(1)


def load():
    sys.path.insert(0, os.environ['LAMBDA_TASK_ROOT'])
    module, name = os.environ['_HANDLER'].rsplit('.', 1)
    return getattr(importlib.import_module(module.replace('/', '.')), name)


if __name__ == '__main__':
    # What a function prints belongs to the event during which it is written.
    sys.stdout.reconfigure(line_buffering=True)
    try:
        loaded = load()
    except Exception as error:
        api = http.client.HTTPConnection(os.environ['AWS_LAMBDA_RUNTIME_API'])
        api.request('POST', RUNTIME + 'init/error', described(error))
        api.getresponse()
        sys.exit(1)
    for _ in range(1, int(os.environ.get('AWS_LAMBDA_MAX_CONCURRENCY', 1))):
        threading.Thread(target=work_in_thread, args=(loaded,), daemon=True).start()
    work(loaded)
