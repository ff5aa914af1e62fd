// Does with each message what its text says, such as `exit 17`, when the message comes for the first time.
package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"signalbox"
)

type batch struct {
	Records []struct {
		MessageID  string            `json:"messageId"`
		Body       string            `json:"body"`
		Attributes map[string]string `json:"attributes"`
	}
}

type failure struct {
	ItemIdentifier string `json:"itemIdentifier"`
}

type answer struct {
	BatchItemFailures []failure `json:"batchItemFailures"`
}

func startChild(leaves bool) error {
	child := exec.Command("sleep", os.Getenv("CHILD"))
	child.SysProcAttr = &syscall.SysProcAttr{Setsid: leaves}
	return child.Start()
}

func handle(_ context.Context, batch batch) (answer, error) {
	failed := []failure{}
	for _, record := range batch.Records {
		fault := strings.Fields(record.Body)[0]
		if record.Attributes["ApproximateReceiveCount"] != "1" && fault != "never" {
			fault = "ok"
		}
		switch fault {
		case "never", "fail":
			failed = append(failed, failure{record.MessageID})
			continue
		case "throw":
			return answer{}, errors.New(record.Body)
		case "exit":
			os.Exit(3)
		case "late":
			late, _ := time.ParseDuration(os.Getenv("LATE") + "s")
			time.Sleep(late)
		case "children":
			for _, leaves := range []bool{false, true} {
				if err := startChild(leaves); err != nil {
					return answer{}, err
				}
			}
		}
		if err := note(record.Body); err != nil {
			return answer{}, err
		}
	}
	return answer{failed}, nil
}

func note(body string) error {
	file, err := os.OpenFile(os.Getenv("HANDLED"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer file.Close()
	_, err = file.WriteString(body + "\n")
	return err
}

func main() { signalbox.Serve(handle) }
