//! Payloads of JSON text that is preserved byte for byte.

use std::collections::{BTreeMap, HashMap};

use skills_call::durable::{Reply, Request};
use temporalio_common::data_converters::{
    PayloadConversionError, SerializationContext, TemporalDeserializable, TemporalSerializable,
};
use temporalio_common::protos::temporal::api::common::v1::Payload;

/// JSON text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct JsonText(pub(crate) String);

impl TemporalSerializable for JsonText {
    fn to_payload(&self, _: &SerializationContext<'_>) -> Result<Payload, PayloadConversionError> {
        let metadata = HashMap::from([("encoding".to_owned(), b"json/plain".to_vec())]);
        Ok(Payload { metadata, data: self.0.clone().into_bytes(), ..Payload::default() })
    }
}

impl TemporalDeserializable for JsonText {
    fn from_payload(_: &SerializationContext<'_>, payload: Payload) -> Result<Self, PayloadConversionError> {
        let encoding = payload.metadata.get("encoding");
        if encoding.is_some_and(|encoding| encoding != b"json/plain") {
            return Err(PayloadConversionError::WrongEncoding);
        }
        String::from_utf8(payload.data).map(Self).map_err(refuse)
    }
}

/// The result of a run: the text of its output, readable by any client, and the additional data of the call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Output {
    pub(crate) text: String,
    pub(crate) beside: String,
}

/// The metadata key of the additional data.
const BESIDE: &str = "skills-beside";

impl TemporalSerializable for Output {
    fn to_payload(&self, context: &SerializationContext<'_>) -> Result<Payload, PayloadConversionError> {
        let mut payload = JsonText(self.text.clone()).to_payload(context)?;
        payload.metadata.insert(BESIDE.to_owned(), self.beside.clone().into_bytes());
        Ok(payload)
    }
}

impl TemporalDeserializable for Output {
    fn from_payload(
        context: &SerializationContext<'_>,
        payload: Payload,
    ) -> Result<Self, PayloadConversionError> {
        let beside = payload.metadata.get(BESIDE).map(|bytes| String::from_utf8_lossy(bytes).into_owned());
        let JsonText(text) = JsonText::from_payload(context, payload)?;
        Ok(Self { text, beside: beside.unwrap_or_default() })
    }
}

/// The input of a run: the call, and the replies recorded before its history was cut.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Begin {
    pub(crate) request: Request,
    pub(crate) memory: Option<Memory>,
}

/// The data that a run moves to a new history.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Memory {
    /// The state of the skill that the run belongs to.
    pub(crate) state: String,
    /// The number of each order and its reply, in the order of the replies.
    pub(crate) replies: Vec<(u64, Reply)>,
    /// The end times of active waits, in milliseconds since 1970.
    pub(crate) waits: BTreeMap<u64, u64>,
}

impl Memory {
    /// Formats it as `{"state": …, "waits": {"0": …}, "replies": {"1": …}}`; the members of `replies` keep
    /// their order.
    pub(crate) fn to_json(&self) -> String {
        let waits: Vec<String> = self.waits.iter().map(|(number, at)| format!("[{number},{at}]")).collect();
        let replies = self.replies.iter().map(|(number, reply)| format!("[{number},{}]", reply.to_json()));
        let replies: Vec<String> = replies.collect();
        format!(
            r#"{{"state":"{}","waits":[{}],"replies":[{}]}}"#,
            self.state,
            waits.join(","),
            replies.join(",")
        )
    }

    fn from_json(text: &str) -> Result<Self, serde_json::Error> {
        #[derive(serde::Deserialize)]
        struct Written {
            state: String,
            waits: Vec<(u64, u64)>,
            replies: Vec<(u64, Box<serde_json::value::RawValue>)>,
        }
        let Written { state, waits, replies } = serde_json::from_str(text)?;
        let reply = |(number, text): (u64, Box<serde_json::value::RawValue>)| {
            let lost = || serde::de::Error::custom("not a valid reply");
            Ok((number, Reply::from_json(text.get()).ok_or_else(lost)?))
        };
        let replies: Result<_, serde_json::Error> = replies.into_iter().map(reply).collect();
        Ok(Self { state, waits: waits.into_iter().collect(), replies: replies? })
    }
}

impl TemporalSerializable for Begin {
    fn to_payload(&self, context: &SerializationContext<'_>) -> Result<Payload, PayloadConversionError> {
        JsonText(self.request.to_json()).to_payload(context)
    }

    fn to_payloads(
        &self,
        context: &SerializationContext<'_>,
    ) -> Result<Vec<Payload>, PayloadConversionError> {
        let mut payloads = vec![self.to_payload(context)?];
        if let Some(memory) = &self.memory {
            payloads.push(JsonText(memory.to_json()).to_payload(context)?);
        }
        Ok(payloads)
    }
}

impl TemporalDeserializable for Begin {
    fn from_payload(
        context: &SerializationContext<'_>,
        payload: Payload,
    ) -> Result<Self, PayloadConversionError> {
        Self::from_payloads(context, vec![payload])
    }

    fn from_payloads(
        context: &SerializationContext<'_>,
        payloads: Vec<Payload>,
    ) -> Result<Self, PayloadConversionError> {
        let mut texts = payloads.into_iter().map(|payload| JsonText::from_payload(context, payload));
        let request = texts.next().ok_or(PayloadConversionError::WrongEncoding)??;
        let request = Request::from_json(&request.0).ok_or_else(|| refuse("it names no skill"))?;
        let memory = match texts.next() {
            Some(text) => Some(Memory::from_json(&text?.0).map_err(refuse)?),
            None => None,
        };
        Ok(Self { request, memory })
    }
}

fn refuse(why: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> PayloadConversionError {
    PayloadConversionError::EncodingError(why.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    // SPEC 19.4, 19.8
    #[test]
    fn a_continued_run_keeps_its_record_byte_for_byte() {
        let memory = Memory {
            state: "ab12".to_owned(),
            replies: vec![
                (7, Reply::join(r#"{"b": 1.50,"a":1e400}"#.to_owned(), "")),
                (2, Reply::lost("s", skills_call::ErrorKind::Timeout, "a \"quote\"")),
                (3, Reply::Over),
            ],
            waits: BTreeMap::from([(0, 1_700_000_000_000)]),
        };
        assert_eq!(Memory::from_json(&memory.to_json()).expect("it is read"), memory);
        Memory::from_json("{}").expect_err("it is none");
    }
}
