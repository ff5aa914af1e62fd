// Orders from an SQS queue, message by message: what fails is received again.
package main

import (
	"context"
	"encoding/json"
	"fmt"

	"signalbox"
)

type batch struct {
	Records []struct {
		MessageID string `json:"messageId"`
		Body      string `json:"body"`
	}
}

type failure struct {
	ItemIdentifier string `json:"itemIdentifier"`
}

type answer struct {
	BatchItemFailures []failure `json:"batchItemFailures"`
}

func handle(_ context.Context, batch batch) (answer, error) {
	failed := []failure{}
	for _, record := range batch.Records {
		if err := ship(record.Body); err != nil {
			fmt.Printf("%s: %s\n", record.MessageID, err)
			failed = append(failed, failure{record.MessageID})
		}
	}
	return answer{failed}, nil
}

func ship(body string) error {
	var order struct {
		Order   string
		Parcels int
	}
	if err := json.Unmarshal([]byte(body), &order); err != nil {
		return fmt.Errorf("no order: %w", err)
	}
	if order.Parcels < 1 {
		return fmt.Errorf("order %s has no parcels", order.Order)
	}
	return nil
}

func main() { signalbox.Serve(handle) }
