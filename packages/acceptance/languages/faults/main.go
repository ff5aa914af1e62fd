// A function that does what its events say, and what a function must not do.
package main

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"signalbox"
)

type event = map[string]any

var api = "http://" + os.Getenv("AWS_LAMBDA_RUNTIME_API") + "/2018-06-01/runtime/invocation/"

func call(method, path string, body string) int {
	request, _ := http.NewRequest(method, api+path, bytes.NewBufferString(body))
	request.Close = true
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		panic(err)
	}
	response.Body.Close()
	return response.StatusCode
}

func start(leaves bool) int {
	child := exec.Command("sleep", "1000")
	child.SysProcAttr = &syscall.SysProcAttr{Setsid: leaves}
	if err := child.Start(); err != nil {
		panic(err)
	}
	return child.Process.Pid
}

func handle(ctx context.Context, event event) (any, error) {
	own := signalbox.HeadersOf(ctx).Get("Lambda-Runtime-Aws-Request-Id") + "/response"
	switch event["do"] {
	case "throw":
		return nil, errors.New(event["why"].(string))
	case "exit":
		os.Exit(3)
	case "never":
		time.Sleep(time.Hour)
	case "late":
		time.Sleep(time.Duration(event["seconds"].(float64) * float64(time.Second)))
	case "twice":
		call("POST", own, `"first"`)
		return "second", nil
	case "other":
		return call("POST", "another-request/response", `"wrong"`), nil
	case "garbage":
		return call("POST", own, "\"\xff\xfe\""), nil
	case "long":
		return strings.Repeat("x", 7_000_000), nil
	case "children":
		return []int{start(false), start(true)}, nil
	case "connections":
		all := make(chan int)
		for i := 0; i < 100; i++ {
			go func() { all <- call("GET", "next", "") }()
		}
		statuses := []int{}
		for i := 0; i < 100; i++ {
			statuses = append(statuses, <-all)
		}
		return statuses, nil
	}
	return event, nil
}

func main() {
	if os.Getenv("EXIT_AT_START") != "" {
		os.Exit(7)
	}
	signalbox.Serve(handle)
}
