// Package signalbox runs a function under the runtime interface of AWS Lambda. It needs Go 1.18, and no other modules.
package signalbox

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"reflect"
	"runtime/debug"
	"strconv"
	"strings"
	"time"
)

type headersKey struct{}

// HeadersOf returns what came with an event, such as Lambda-Runtime-Aws-Request-Id and Lambda-Runtime-Aws-Tenant-Id.
func HeadersOf(ctx context.Context) http.Header { return ctx.Value(headersKey{}).(http.Header) }

// Serve calls a handler for each event, with a context that ends at the deadline. With AWS_LAMBDA_MAX_CONCURRENCY, so many
// goroutines work on one event each. A panic fails only its event.
func Serve[Event, Answer any](handler func(context.Context, Event) (Answer, error)) {
	concurrency, _ := strconv.Atoi(os.Getenv("AWS_LAMBDA_MAX_CONCURRENCY"))
	for i := 1; i < concurrency; i++ {
		go work(handler)
	}
	work(handler)
}

func work[Event, Answer any](handler func(context.Context, Event) (Answer, error)) {
	for {
		body, headers := request("GET", "next", nil, "")
		deadline, _ := strconv.ParseInt(headers.Get("Lambda-Runtime-Deadline-Ms"), 10, 64)
		ctx := context.WithValue(context.Background(), headersKey{}, headers)
		ctx, cancel := context.WithDeadline(ctx, time.UnixMilli(deadline))
		answer, failure := call(ctx, handler, body)
		cancel()
		kind := "response"
		if failure != nil {
			kind, answer = "error", failure
		}
		id := headers.Get("Lambda-Runtime-Aws-Request-Id")
		request("POST", id+"/"+kind, answer, headers.Get("Lambda-Runtime-Invocation-Id"))
	}
}

// call returns the answer or the failure as JSON.
func call[Event, Answer any](ctx context.Context, handler func(context.Context, Event) (Answer, error), body []byte) (answer, failure []byte) {
	defer func() {
		if reason := recover(); reason != nil {
			failure = described("panic", fmt.Sprint(reason), strings.Split(strings.TrimSpace(string(debug.Stack())), "\n"))
		}
	}()
	var event Event
	err := json.Unmarshal(body, &event)
	if err == nil {
		var value Answer
		if value, err = handler(ctx, event); err == nil {
			answer, err = json.Marshal(value)
		}
	}
	if err != nil {
		failure = described(typeOf(err), err.Error(), []string{})
	}
	return
}

func typeOf(err error) string {
	kind := reflect.TypeOf(err)
	if kind.Kind() == reflect.Pointer {
		kind = kind.Elem()
	}
	return kind.Name()
}

// described logs an error with its stack, and returns it as JSON.
func described(kind, message string, stack []string) []byte {
	fmt.Fprintf(os.Stderr, "%s: %s\n%s\n", kind, message, strings.Join(stack, "\n"))
	body, _ := json.Marshal(map[string]any{"errorType": kind, "errorMessage": message, "stackTrace": stack})
	return body
}

var client = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 1000}}

// request ends the process if the platform does not answer.
func request(method, path string, body []byte, invocationID string) ([]byte, http.Header) {
	url := "http://" + os.Getenv("AWS_LAMBDA_RUNTIME_API") + "/2018-06-01/runtime/invocation/" + path
	sent, err := http.NewRequest(method, url, bytes.NewReader(body))
	if err != nil {
		log.Fatal(err)
	}
	if invocationID != "" {
		sent.Header.Set("Lambda-Runtime-Invocation-Id", invocationID)
	}
	answer, err := client.Do(sent)
	if err != nil {
		log.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err == nil && method == "GET" && answer.StatusCode != 200 {
		err = fmt.Errorf("%s: %s", answer.Status, text)
	}
	if err != nil {
		log.Fatal(err)
	}
	return text, answer.Header
}
