FROM python:3.12-slim
COPY . /src
RUN pip install --no-cache-dir /src && rm -rf /src && useradd --create-home harvest && mkdir /data && chown harvest /data
USER harvest
VOLUME /data
CMD ["harvest", "--help"]
